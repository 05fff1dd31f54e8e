import { h } from "./dom.js";

export function makeBanner(app) {
    return { element: h("div", { class: "banner" }), remove() {} };
}

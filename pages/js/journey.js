import { h } from "./dom.js";

export function journeyControl(app) {
    return h("div", { hidden: true });
}

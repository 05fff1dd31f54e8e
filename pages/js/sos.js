import { h } from "./dom.js";

export function sosButton(app) {
    return h("div", { hidden: true });
}

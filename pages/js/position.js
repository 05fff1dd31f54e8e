import { h } from "./dom.js";

export function positionControl(app) {
    return h("div", { hidden: true });
}

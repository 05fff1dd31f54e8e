import { h } from "../dom.js";

export function mount(root, app) {
    root.append(h("h1", null, "People"));
    return { show() {}, hide() {} };
}

import { h } from "../dom.js";

export function mount(root, app) {
    root.append(h("h1", null, "Chat"));
    return { show() {}, hide() {} };
}

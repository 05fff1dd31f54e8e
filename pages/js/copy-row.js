/// A labelled value with a copy button: an address, a token.

import { h } from "./dom.js";
import { t } from "./language.js";

export function copyRow(app, label, text) {
    const code = h("code", { class: "grow break" }, text);
    return h("div", { class: "row copy" },
        h("span", { class: "copy-label" }, label), code,
        h("button", {
            type: "button", class: "button", "aria-label": t("Copy: {label}", { label }),
            onclick: () => copy(app, text, code),
        }, t("Copy")));
}

async function copy(app, text, code) {
    try {
        await navigator.clipboard.writeText(text);
        app.say(t("Copied."));
    } catch {
        // Copying is not allowed here: select it, so that the person can copy it.
        getSelection().selectAllChildren(code);
        app.say(t("It is selected: copy it with the keyboard or the menu."));
    }
}

/// Modal dialogs.

import { h } from "./dom.js";
import { t } from "./language.js";

let count = 0;

/// Opens a modal dialog with this content; returns a function that closes it. It is also closed by
/// Escape and, unless it `isFirm`, by a press outside it; `closed` is called then.
export function openDialog(title, content, { closed, kind = "", isFirm = false } = {}) {
    const id = `dialog-${(count += 1)}`;
    const before = document.activeElement;
    const element = h("dialog", { class: `dialog ${kind}`, "aria-labelledby": id },
        h("h2", { id }, title), content);
    element.addEventListener("close", () => {
        element.remove();
        if (before?.isConnected) before.focus();
        closed?.();
    });
    // Ignores the end of a press that began before the dialog opened.
    let isPressed = false;
    element.addEventListener("pointerdown", (event) => { isPressed = event.target === element; });
    element.addEventListener("click", (event) => {
        if (!isFirm && isPressed && event.target === element) element.close();
    });
    document.body.append(element);
    element.showModal();
    return () => element.close();
}

/// Closes all dialogs at the end of a session: their questions can no longer be answered.
export function closeDialogs() {
    for (const element of document.querySelectorAll("dialog[open]")) element.close();
}

/// Asks; true if the person confirms.
export function ask({ title, text, yes = t("Yes"), no = t("Cancel"), danger = false }) {
    return new Promise((resolve) => {
        let answer = false;
        const finish = (value) => () => {
            answer = value;
            close();
        };
        const close = openDialog(title, [
            text ? h("p", null, text) : null,
            h("div", { class: "row end" },
                h("button", { type: "button", class: "button", onclick: finish(false) }, no),
                h("button", {
                    type: "button",
                    class: danger ? "button danger" : "button primary",
                    onclick: finish(true),
                }, yes)),
        ], { closed: () => resolve(answer) });
    });
}

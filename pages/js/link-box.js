/// A link for somebody else: as text, as a QR code, and to be passed on.

import { h } from "./dom.js";
import { t } from "./language.js";
import { drawCode } from "./qr-image.js";

/// `path`: on this page; `title`: for whoever gets it; `words`: what to know about it.
export function showLink(app, { path, title, words }) {
    const address = new URL(path, location.origin).href;
    const field = h("input", {
        type: "text", readonly: true, value: address, "aria-label": t("Link"),
        onfocus: () => field.select(),
    });
    const box = h("div", { class: "field" }, field);
    const copy = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            try {
                await navigator.clipboard.writeText(address);
                app.say(t("The link is copied."), "good");
            } catch {
                field.focus();
                app.say(t("Copy the marked link."));
            }
        },
    }, t("Copy"));
    const share = navigator.share ? h("button", {
        type: "button", class: "button primary",
        onclick: async () => {
            try {
                await navigator.share({ title, url: address });
            } catch (error) {
                if (error.name !== "AbortError") app.say(t("It could not be shared. Copy it."));
            }
        },
    }, t("Share")) : null;
    return h("div", { class: "link-box" },
        drawCode(address, t("The link as a QR code")), box, h("div", { class: "row" }, copy, share),
        h("p", { class: "small muted" }, words));
}

/// A link for others: as text, as a QR code, and with a share button.

import { h } from "./dom.js";
import { t } from "./language.js";
import { drawCode } from "./qr-image.js";

/// `path`: on this page; `title`: for the recipient; `words`: an explanation.
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
                app.say(t("Link copied."), "good");
            } catch {
                field.focus();
                app.say(t("Copy the selected link."));
            }
        },
    }, t("Copy"));
    const share = navigator.share ? h("button", {
        type: "button", class: "button primary",
        onclick: async () => {
            try {
                await navigator.share({ title, url: address });
            } catch (error) {
                if (error.name !== "AbortError") app.say(t("The link could not be shared. Copy it "
                    + "instead."));
            }
        },
    }, t("Share")) : null;
    return h("div", { class: "link-box" },
        drawCode(address, t("The link as a QR code")), box, h("div", { class: "row" }, copy, share),
        h("p", { class: "small muted" }, words));
}

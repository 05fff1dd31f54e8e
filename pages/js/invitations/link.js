/// A link that brings whoever has it into a group: as text, as a QR code, and to be passed on.

import { h } from "../dom.js";
import { dateTime } from "../format.js";
import { drawCode } from "./qr-image.js";

/// `invitation`: `{path,uses,expiresAt}`; `group`: its name.
export function showLink(app, { path, uses, expiresAt }, group) {
    const address = new URL(path, location.origin).href;
    const field = h("input", {
        type: "text", readonly: true, value: address, "aria-label": "Link",
        onfocus: () => field.select(),
    });
    const box = h("div", { class: "field" }, field);
    const copy = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            try {
                await navigator.clipboard.writeText(address);
                app.say("The link is copied.", "good");
            } catch {
                field.focus();
                app.say("Copy the marked link.");
            }
        },
    }, "Copy");
    const share = navigator.share ? h("button", {
        type: "button", class: "button primary",
        onclick: async () => {
            try {
                await navigator.share({ title: `Join ${group} on Kith`, url: address });
            } catch (error) {
                if (error.name !== "AbortError") app.say("It could not be shared. Copy it.");
            }
        },
    }, "Share") : null;
    return h("div", { class: "invitation-link" },
        drawCode(address, "The link as a QR code"), box, h("div", { class: "row" }, copy, share),
        h("p", { class: "small muted" },
            uses === 1 ? "For one person" : `For up to ${uses} people`,
            `, until ${dateTime(expiresAt)}. Whoever has it can come in: send it to nobody else. `
            + "It is shown only now."));
}

/// A link for somebody else: as text, as a QR code, and to be passed on.

import { h, svg } from "./dom.js";
import { qrCode } from "./qr.js";

/// The light margin that readers need, in modules.
const MARGIN = 4;

/// `path`: on this page; `title`: for whoever gets it; `words`: what to know about it.
export function showLink(app, { path, title, words }) {
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
                await navigator.share({ title, url: address });
            } catch (error) {
                if (error.name !== "AbortError") app.say("It could not be shared. Copy it.");
            }
        },
    }, "Share") : null;
    return h("div", { class: "link-box" },
        drawCode(address), box, h("div", { class: "row" }, copy, share),
        h("p", { class: "small muted" }, words));
}

/// Null if the address is too long for a code.
function drawCode(address) {
    const rows = qrCode(address);
    if (!rows) return null;
    const size = rows.length + 2 * MARGIN;
    const path = rows.flatMap((row, y) => row.map((isDark, x) => (
        isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : ""))).join("");
    return svg("svg", {
        class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "The link as a QR code",
        "shape-rendering": "crispEdges",
    }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}

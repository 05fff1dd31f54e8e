/// A QR code as a picture.

import { svg } from "./dom.js";
import { qrCode } from "./qr.js";

/// The light margin that readers need, in modules.
const MARGIN = 4;

/// - Parameter label: the text for screen readers.
/// - Returns: null if the text is too long for a code.
export function drawCode(text, label) {
    const rows = qrCode(text);
    if (!rows) return null;
    const size = rows.length + 2 * MARGIN;
    const path = rows.flatMap((row, y) => row.map((isDark, x) => (
        isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : ""))).join("");
    return svg("svg", {
        class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label,
        "shape-rendering": "crispEdges",
    }, svg("rect", { width: size, height: size, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}

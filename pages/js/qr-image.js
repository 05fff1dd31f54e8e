/// QR codes as pictures, encoded by Debian's `node-qrcode-generator` in the browser.

import { svg } from "./dom.js";

/// The light margin that readers need, in modules.
const MARGIN = 4;

/// A promise of the library, once it is needed.
let encoder = null;

/// A picture that is empty while the library loads, and removed if that fails or if the text is too
/// long (2,331 bytes).
///
/// - Parameter label: the text for screen readers.
export function drawCode(text, label) {
    const image = svg("svg", {
        class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges",
    });
    encode(text).then((rows) => {
        const size = rows.length + 2 * MARGIN;
        image.setAttribute("viewBox", `0 0 ${size} ${size}`);
        image.append(
            svg("rect", { width: size, height: size, fill: "#fff" }),
            svg("path", { d: outline(rows), fill: "#000" }));
    }).catch(() => image.remove());
    return image;
}

/// The rows of the code from top to bottom, with true for dark: UTF-8, error correction level M, the
/// smallest version.
export async function encode(text) {
    encoder ??= load().catch((error) => {
        encoder = null;
        throw error;
    });
    const code = (await encoder)(0, "M");
    code.addData(text);
    code.make();
    const indices = [...Array(code.getModuleCount()).keys()];
    return indices.map((y) => indices.map((x) => code.isDark(y, x)));
}

/// The library is not a module: it passes itself to AMD's `define`.
async function load() {
    let library = null;
    globalThis.define = Object.assign((_, factory) => { library = factory(); }, { amd: true });
    try {
        await import("/qrcode-generator/qrcode.js");
    } finally {
        delete globalThis.define;
    }
    library.stringToBytes = library.stringToBytesFuncs["UTF-8"];
    return library;
}

function outline(rows) {
    return rows.flatMap((row, y) => row.map((isDark, x) => (
        isDark ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : ""))).join("");
}

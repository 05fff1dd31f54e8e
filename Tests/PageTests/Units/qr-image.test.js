import { drawCode, encode } from "/js/qr-image.js";
import { equal, settle, test } from "/unit.js";

async function digest(text) {
    const rows = (await encode(text)).map((row) => row.map(Number).join(""));
    const hash = new Uint8Array(await crypto.subtle.digest(
        "SHA-256", new TextEncoder().encode(rows.join("\n"))));
    return Array.from(hash.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

test("A QR code equals another encoder's", async () => {
    // The SHA-256 of the codes of Debian's python3-qrcodegen, level M, with masks 3, 5 and 3.
    equal(await digest("a"), "8503acd70f562cac");
    equal(await digest("Grüße €😀"), "dccf721fb0c4841c");
    equal(await digest("y".repeat(900)), "aeab66153eb5e5a7");
});

test("A code is drawn with a margin of four modules", async () => {
    const image = drawCode("a", "A code");
    const rows = await encode("a");
    await settle();
    equal(image.getAttribute("aria-label"), "A code");
    equal(image.getAttribute("viewBox"), "0 0 29 29");
    const dark = image.querySelector("path").getAttribute("d").match(/M\d+ \d+/g);
    equal(dark.length, rows.flat().filter(Boolean).length);
    equal([dark[0], dark[1], dark.at(-1)], ["M4 4", "M5 4", "M20 24"]);
});

test("A text that does not fit has no picture", async () => {
    const place = document.createElement("div");
    place.append(drawCode("y".repeat(2331), ""), drawCode("y".repeat(2332), ""));
    await encode("a");
    await settle();
    equal(place.childElementCount, 1);
});

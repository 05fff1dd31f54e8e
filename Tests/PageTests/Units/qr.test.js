import { qrCode } from "/js/qr.js";
import { equal, test } from "/unit.js";

/// The code as rows of 0 and 1.
const drawn = (text, mask) => qrCode(text, mask).map((row) => row.map(Number).join(""));

async function digest(text, mask) {
    const bytes = new TextEncoder().encode(drawn(text, mask).join("\n"));
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    return Array.from(hash.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

test("A QR code equals another encoder's", () => {
    // Debian's python3-qrcodegen, level M, mask 0.
    equal(drawn("a", 0), [
        "111111100000101111111",
        "100000101110101000001",
        "101110100011001011101",
        "101110100100101011101",
        "101110101010101011101",
        "100000100110101000001",
        "111111101010101111111",
        "000000000001100000000",
        "101010100101000010010",
        "011001011110001000110",
        "000101101000100010001",
        "100000001100001000100",
        "100001101000101010101",
        "000000001001010101011",
        "111111100001011101111",
        "100000100101110111000",
        "101110101001011101101",
        "101110100000001000110",
        "101110101000100010001",
        "100000100110001000110",
        "111111101100101010111",
    ]);
});

/// The number of `y`s, the mask, and the first eight bytes of the SHA-256 of python3-qrcodegen's
/// code. Each text is the shortest or longest of a version.
const OTHERS = [
    [14, 0, "65d8f1114ee77295"],
    [15, 1, "38bd2db170a3f912"],
    [26, 2, "feaf1e6bea02bc37"],
    [27, 3, "5a3f774369146656"],
    [42, 4, "f08ec93f22ed2e7e"],
    [43, 5, "246ef1165d9228d3"],
    [62, 6, "b5f8c30bd647891b"],
    [63, 7, "ad7fa368c99cdc94"],
    [84, 0, "ff067133357e328c"],
    [85, 1, "e479011b85e799bc"],
    [106, 2, "de9e189685f3b9d6"],
    [107, 3, "e6531336da3d189c"],
    [122, 4, "3127b812828825f9"],
    [123, 5, "6b0be6429d4dfa8b"],
    [152, 6, "7db69f83ab5ffc44"],
    [153, 7, "f1270dc73fabb337"],
    [180, 0, "92c327dcc8fc54a6"],
    [181, 1, "9643b0e0691aaec5"],
    [213, 2, "d13a7d639a3b078a"],
];

test("QR codes of all versions and masks equal another encoder's", async () => {
    for (const [count, mask, expected] of OTHERS) {
        equal(await digest("y".repeat(count), mask), expected, `${count} bytes:`);
    }
});

test("A text that does not fit has no QR code", () => {
    equal(qrCode("y".repeat(213)).length, 57);
    equal(qrCode("y".repeat(214)), null);
    equal(qrCode("é".repeat(107)), null);
});

test("A mask is chosen from the eight if none is given", () => {
    const choices = [0, 1, 2, 3, 4, 5, 6, 7].map((mask) => drawn("Kith", mask).join());
    equal(choices.includes(drawn("Kith").join()), true);
});

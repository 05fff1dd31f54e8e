/// Names in a sentence: each keeps its own direction without reversing the words around it.

const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const FIRST_STRONG_ISOLATE = "\u2068";
const POP_DIRECTIONAL_ISOLATE = "\u2069";

/// The name, isolated if it is written in the other direction than the page (UAX #9, 2.4.2).
export function isolate(name, isFromRight = document.documentElement.dir === "rtl") {
    return FROM_RIGHT.test(name) === isFromRight ? name
        : `${FIRST_STRONG_ISOLATE}${name}${POP_DIRECTIONAL_ISOLATE}`;
}

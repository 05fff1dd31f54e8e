/// A position's accuracy in words, with separate words for positions too inaccurate to use.

import { distance } from "../format.js";
import { t } from "../language.js";

/// In metres: a less accurate position is not a place. The service reports 20,004 km for an invalid
/// accuracy.
const ANYWHERE_M = 200_000;

/// Whether the person may be anywhere, according to that position.
export function isAnywhere({ accuracy }) {
    return accuracy !== undefined && accuracy !== null && !(accuracy >= 0 && accuracy < ANYWHERE_M);
}

/// "± 8 m"; "" if it is not known.
export function accuracyWords(fix) {
    if (isAnywhere(fix)) return t("may be far off");
    return Number.isFinite(fix.accuracy) ? `± ${distance(fix.accuracy)}` : "";
}

/// "8 m"; "" if it is not known, or if `farWords` applies.
export function withinWords(fix) {
    return !isAnywhere(fix) && Number.isFinite(fix.accuracy) ? distance(fix.accuracy) : "";
}

/// A sentence about a position that may be anywhere; "" about others.
export const farWords = (fix) => (isAnywhere(fix) ? t("This position may be far off.") : "");

/// A sentence about a position, with the one above.
export const warned = (words, fix) => [words, farWords(fix)].filter(Boolean).join(" ");

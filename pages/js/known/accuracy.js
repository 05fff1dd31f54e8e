/// How exact a position is, in words; what says nothing of where somebody is has words of its own.

import { distance } from "../format.js";
import { t } from "../language.js";

/// In metres: less exact than this, a position is no place. The service says 20,004 km of one whose
/// accuracy cannot be one.
const ANYWHERE_M = 200_000;

/// Whether somebody may be anywhere, as far as that position goes.
export function isAnywhere({ accuracy }) {
    return accuracy !== undefined && accuracy !== null && !(accuracy >= 0 && accuracy < ANYWHERE_M);
}

/// "± 8 m"; "" where it is not known.
export function accuracyWords(fix) {
    if (isAnywhere(fix)) return t("may be far off");
    return Number.isFinite(fix.accuracy) ? `± ${distance(fix.accuracy)}` : "";
}

/// "8 m"; "" where it is not known, or where `farWords` has more to say.
export function withinWords(fix) {
    return !isAnywhere(fix) && Number.isFinite(fix.accuracy) ? distance(fix.accuracy) : "";
}

/// A sentence about a position that may be anywhere; "" about others.
export const farWords = (fix) => (isAnywhere(fix) ? t("This position may be far off.") : "");

/// A sentence about a position, with the one above.
export const warned = (words, fix) => [words, farWords(fix)].filter(Boolean).join(" ");

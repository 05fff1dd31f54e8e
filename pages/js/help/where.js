/// Where a person is, relative to me.

import { serverNow } from "../clock.js";
import { bearingBetween, metresBetween } from "../geodesy.js";
import { distance } from "../format.js";
import { isAnywhere } from "../known/accuracy.js";
import { t } from "../language.js";

/// An own position older than this is not used as where I am now.
const OWN_PATIENCE_MS = 30 * 60_000;
/// Closer than this, a direction is meaningless.
const HERE_M = 15;

const DIRECTIONS = [
    (values) => t("{distance} north of you", values),
    (values) => t("{distance} north-east of you", values),
    (values) => t("{distance} east of you", values),
    (values) => t("{distance} south-east of you", values),
    (values) => t("{distance} south of you", values),
    (values) => t("{distance} south-west of you", values),
    (values) => t("{distance} west of you", values),
    (values) => t("{distance} north-west of you", values),
];

/// "1.2 km north-east of you", or "" if one of the positions is not known.
export function fromMeWords(mine, fix) {
    if (!mine || !fix || isAnywhere(fix)) return "";
    const metres = metresBetween(mine, fix);
    if (metres < HERE_M) return t("Very close to you");
    return DIRECTIONS[Math.round(bearingBetween(mine, fix) / 45) % 8]({ distance: distance(metres) });
}

/// Where I am, as far as the page knows without querying the device: a Fix, or null.
export function ownPosition({ me, groups, position }, now = serverNow()) {
    const told = [...groups.values()].map((group) => group.states.get(me?.user)?.fix);
    return [position, ...told].filter((fix) => fix && !isAnywhere(fix) && now - new Date(fix.timestamp) < OWN_PATIENCE_MS)
        .sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))[0] ?? null;
}

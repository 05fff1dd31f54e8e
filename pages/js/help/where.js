/// Where somebody is, seen from where I am.

import { serverNow } from "../clock.js";
import { distance } from "../format.js";
import { t } from "../language.js";

const EARTH_RADIUS_M = 6_371_009;
/// An own position older than this says nothing about where I am now.
const OWN_PATIENCE_MS = 30 * 60_000;
/// Closer than this, a direction says nothing.
const HERE_M = 15;

const radians = (degrees) => degrees * Math.PI / 180;

/// Metres along the great circle.
export function metresApart(a, b) {
    const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
    const half = Math.sin(north / 2) ** 2 + Math.sin(east / 2) ** 2
        * Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
    return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half)));
}

/// The bearing at which one sets out from `a` to `b`: degrees from north, clockwise, 0 to 360.
export function bearingFrom(a, b) {
    const [from, to] = [radians(a.latitude), radians(b.latitude)];
    const east = radians(b.longitude - a.longitude);
    const y = Math.sin(east) * Math.cos(to);
    const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east);
    return (Math.atan2(y, x) * 180 / Math.PI + 360) % 360;
}

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
    if (!mine || !fix) return "";
    const metres = metresApart(mine, fix);
    if (metres < HERE_M) return t("Where you are");
    return DIRECTIONS[Math.round(bearingFrom(mine, fix) / 45) % 8]({ distance: distance(metres) });
}

/// Where I am, as far as the page knows without asking the device: a Fix, or null.
export function ownPosition({ me, groups, position }, now = serverNow()) {
    const told = [...groups.values()].map((group) => group.states.get(me?.user)?.fix);
    return [position, ...told].filter((fix) => fix && now - new Date(fix.timestamp) < OWN_PATIENCE_MS)
        .sort((a, b) => (a.timestamp < b.timestamp ? 1 : -1))[0] ?? null;
}

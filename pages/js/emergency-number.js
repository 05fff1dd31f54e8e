/// The emergency number, available before the service has answered anything.
///
/// The service sends it with each call for help, for the place of that call. The page keeps it with
/// that place, to about ten kilometres.

import { metresBetween } from "./geodesy.js";
import { kept } from "./kept.js";
import { isAnywhere } from "./known/accuracy.js";
import { onAlert } from "./reducer.js";

/// The default: it works on every mobile phone (3GPP TS 22.101), and in all of Europe.
export const USUAL_NUMBER = "112";
/// A number is valid this far around the place for which it was sent.
const NEAR_M = 50_000;
/// How many places are kept with their numbers.
const MOST_PLACES = 5;
/// Steps of a degree to which a place is kept.
const STEPS = 10;

const places = kept("kith.emergency-numbers");

/// - Parameter fix: where help is needed, or null: then it is the place of the last call.
export function emergencyNumber(fix) {
    const known = (places.read() ?? []).map((place) => ({
        number: place.number,
        metres: fix && !isAnywhere(fix) ? metresBetween(fix, place) : 0,
    }));
    known.sort((a, b) => a.metres - b.metres);
    return known[0]?.metres <= NEAR_M ? known[0].number : USUAL_NUMBER;
}

onAlert(({ number, fix, at }) => {
    if (!number || !fix || isAnywhere(fix)) return;
    const [latitude, longitude] = [fix.latitude, fix.longitude]
        .map((degrees) => Math.round(degrees * STEPS) / STEPS);
    const before = places.read() ?? [];
    const same = before.find((each) => each.latitude === latitude && each.longitude === longitude);
    if (same && same.at >= at) return;
    places.write([...before.filter((each) => each !== same), { number, latitude, longitude, at }]
        .sort((a, b) => (a.at < b.at ? 1 : -1)).slice(0, MOST_PLACES));
});

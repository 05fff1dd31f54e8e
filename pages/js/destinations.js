/// Recent destinations. Kept on this device only, for one account, and erased when that account logs
/// out; demo visitors leave none.

import { metresBetween } from "./geodesy.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

const KEY = "kith.destinations";
const MOST = 8;
/// In metres: nearer than this is the same place.
const SAME = 60;

/// `[{latitude,longitude,name?}]`, the last one first.
export function recentDestinations() {
    const { me } = store.state;
    const kept = readStored(KEY);
    if (!me || me.demo || kept?.user !== me.user || !Array.isArray(kept.places)) return [];
    return kept.places.filter(isPlace);
}

export function rememberDestination(place) {
    const { me } = store.state;
    if (!me || me.demo || !isPlace(place)) return;
    writeStored(KEY, { user: me.user, places: withPlace(recentDestinations(), place) });
}

export function forgetDestinations() {
    writeStored(KEY, null);
}

/// The list with one more place in front: without duplicates, and bounded in length.
export function withPlace(places, { latitude, longitude, name }) {
    const place = { latitude, longitude, ...(name ? { name } : {}) };
    const others = places.filter((each) => metresBetween(each, place) > SAME);
    return [place, ...others].slice(0, MOST);
}

function isPlace(value) {
    return Math.abs(value?.latitude) <= 90 && Math.abs(value?.longitude) <= 180
        && (value.name === undefined || typeof value.name === "string");
}

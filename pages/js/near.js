/// Place names of positions ("3 km north of Salzburg"), looked up once each. The list of places is
/// large, so it is loaded on first use.

import { isAnywhere } from "./known/accuracy.js";

/// A name is looked up again after about a hundred metres.
const DIGITS = 3;
const MOST_KEPT = 500;
/// A failed lookup is retried after a while: without a network the list cannot be loaded.
const AGAIN_MS = 5 * 60_000;

const names = new Map();
const listeners = new Set();
let gazetteer = null;

/// The words for a position, or "" as long as they are not known.
export function nearWords(fix) {
    if (isAnywhere(fix)) return "";
    const key = `${fix.latitude.toFixed(DIGITS)} ${fix.longitude.toFixed(DIGITS)}`;
    if (!names.has(key)) {
        if (names.size >= MOST_KEPT) names.delete(names.keys().next().value);
        names.set(key, "");
        find(key, fix);
    }
    return names.get(key);
}

/// Calls back when more names are available.
export function listenForPlaces(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

async function find(key, { latitude, longitude }) {
    let words = null;
    try {
        gazetteer ??= import("./gazetteer.js");
        words = await (await gazetteer).placeName({ latitude, longitude });
    } catch {
        // A page without place names shows the same positions.
        gazetteer = null;
    }
    if (!words) {
        setTimeout(() => names.delete(key), AGAIN_MS);
        return;
    }
    names.set(key, words);
    for (const listener of listeners) listener();
}

/// Place names of positions ("3 km north of Salzburg"), found once each: the first question is
/// answered when the list of places has been loaded.

/// About 100 m.
const DIGITS = 3;
const MOST = 500;

const found = new Map();
const listeners = new Set();
let gazetteer = null;

/// The words for a position, or "" as long as they are not known.
export function nearWords(fix) {
    const key = `${fix.latitude.toFixed(DIGITS)} ${fix.longitude.toFixed(DIGITS)}`;
    if (!found.has(key)) {
        if (found.size >= MOST) found.delete(found.keys().next().value);
        found.set(key, "");
        find(key, fix);
    }
    return found.get(key);
}

/// Calls back whenever there are more names.
export function listenForPlaces(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

async function find(key, { latitude, longitude }) {
    try {
        gazetteer ??= import("./gazetteer.js");
        const words = await (await gazetteer).placeName({ latitude, longitude });
        if (!words) return;
        found.set(key, words);
    } catch {
        // A page without place names shows the same positions.
        return;
    }
    for (const listener of listeners) listener();
}

/// The name of the place where somebody is: "3 km north of Salzburg".

/// A name is looked up anew when the person has moved by about a hundred metres.
const DIGITS = 3;
const MOST_KEPT = 200;
/// After the list of places could not be loaded, it is tried again.
const AGAIN_MS = 5 * 60_000;

const names = new Map();
/// The list of places is large: it comes when it is needed first.
let loading = null;

/// The name, or null as long as it is not known; `found` is called when it is.
export function placeOf(fix, found) {
    if (!fix) return null;
    const key = `${fix.latitude.toFixed(DIGITS)} ${fix.longitude.toFixed(DIGITS)}`;
    if (names.has(key)) return names.get(key);
    if (names.size >= MOST_KEPT) names.clear();
    names.set(key, null);
    look(fix).then((name) => {
        names.set(key, name);
        if (name) found(name);
        else setTimeout(() => names.delete(key), AGAIN_MS);
    }, () => {
        // Without a network the list cannot come; later, it may.
        setTimeout(() => {
            names.delete(key);
            loading = null;
        }, AGAIN_MS);
    });
    return null;
}

async function look({ latitude, longitude }) {
    loading ??= import("../gazetteer.js");
    return (await loading).placeName({ latitude, longitude });
}

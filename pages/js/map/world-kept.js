/// Makes the browser cache the bundled world around me and the others, so that it is available
/// without a network, even under a street map: `sw-world.js` caches every requested part.

import { isLive, store, chosenGroup } from "../store.js";
import { ownPosition } from "../help/where.js";
import { filesAround } from "./world-data.js";

/// After the start, to delay nothing; people may have moved by then.
const FIRST_MS = 15_000;
const AGAIN_MS = 10 * 60_000;
/// The maximum number of people considered; one file covers 30° or 10° of the world.
const MOST_PEOPLE = 20;
const MOST_FILES = 12;

const asked = new Set();

/// Starts; the returned function stops it.
export function keepWorld() {
    let timer = setTimeout(turn, FIRST_MS);
    async function turn() {
        timer = setTimeout(turn, AGAIN_MS);
        await keep(store.state).catch(() => {});
    }
    return () => clearTimeout(timer);
}

async function keep(state) {
    if (!navigator.serviceWorker?.controller || !isLive(state) || state.me?.demo) return;
    const others = [...chosenGroup(state)?.states.values() ?? []].map(({ fix }) => fix);
    const fixes = [ownPosition(state), ...others].filter(Boolean).slice(0, MOST_PEOPLE);
    for (const fix of fixes) {
        for (const file of await filesAround(fix)) {
            if (asked.has(file) || asked.size >= MOST_FILES) continue;
            asked.add(file);
            await fetch(file, { priority: "low" }).catch(() => asked.delete(file));
        }
    }
}

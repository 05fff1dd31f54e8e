/// Where this device was last, kept in this browser: to be read out to the emergency number, and on the
/// map, also on a page that has just been opened and has no network and no signal yet.

import { kept } from "./kept.js";
import { store } from "./store.js";
import { fixOf } from "./validation.js";

/// Older than this, it says nothing any more.
const KEPT_MS = 12 * 60 * 60_000;
/// It is written this often at most.
const PAUSE_MS = 5_000;

const place = kept("kith.position");
let written = null;
let writtenAt = -PAUSE_MS;

/// Shows it, unless the device has said something by now.
export function restoreOwnPosition() {
    const fix = fixOf(place.read());
    const age = fix ? Date.now() - Date.parse(fix.timestamp) : Infinity;
    if (age > KEPT_MS || age < -KEPT_MS) return;
    store.change((state) => { state.position ??= fix; });
}

store.listenAlways(({ position }) => {
    const now = performance.now();
    if (!position || position === written || now - writtenAt < PAUSE_MS) return;
    written = position;
    writtenAt = now;
    place.write(position);
});

/// This device's last position, kept in this browser: to read out to the emergency number, and for
/// the map of a freshly opened page with no network and no signal yet.

import { kept } from "./kept.js";
import { store } from "./store.js";
import { fixOf } from "./validation.js";

/// Positions older than this are not used.
const KEPT_MS = 12 * 60 * 60_000;
/// The minimum time between writes.
const PAUSE_MS = 5_000;

const place = kept("kith.position");
let written = null;
let writtenAt = -PAUSE_MS;

/// Shows the stored position unless the device has reported one by now.
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

/// Keeps everyone in the demo's story on screen, except while the visitor looks at something.

import { reducesMotion } from "../map/base.js";
import { emergencies } from "../sos-state.js";
import { chosenGroup, store } from "../store.js";

const TICK_MS = 2_000;
/// After a press or key, the map is left to the visitor for this long.
const HANDS_OFF_MS = 45_000;
/// A call for help takes precedence over what they look at, but not over what they are pressing.
const CALL_HANDS_OFF_MS = 4_000;
/// In pixels: nearer to the edge counts as off screen.
const MARGIN = 8;

export function keepInPicture(app) {
    let touchedAt = -HANDS_OFF_MS;
    let calls = "";
    let isWanted = false;
    const touched = () => { touchedAt = performance.now(); };
    const kinds = ["pointerdown", "wheel", "keydown"];
    for (const kind of kinds) document.addEventListener(kind, touched, { passive: true });

    function look() {
        if (document.hidden || store.state.followed) return;
        const now = emergencies().map(({ user, since }) => `${user} ${since}`).join();
        if (now !== calls) isWanted = now !== "";
        calls = now;
        const rest = performance.now() - touchedAt;
        if (rest < (isWanted ? CALL_HANDS_OFF_MS : HANDS_OFF_MS)) return;
        if (isSomebodyOutside(app.map)) app.people.fit({ animate: !reducesMotion() });
        isWanted = false;
    }

    const ticker = setInterval(look, TICK_MS);
    return {
        remove() {
            clearInterval(ticker);
            for (const kind of kinds) document.removeEventListener(kind, touched);
        },
    };
}

/// Whether a group member's position is outside the visible part of the map.
function isSomebodyOutside(map) {
    const { x, y } = map.getSize();
    if (x === 0 || y === 0) return false;
    const covered = parseFloat(
        getComputedStyle(document.documentElement).getPropertyValue("--covered")) || 0;
    return [...chosenGroup()?.states.values() ?? []].some(({ fix }) => {
        if (!fix) return false;
        const at = map.latLngToContainerPoint([fix.latitude, fix.longitude]);
        return at.x < MARGIN || at.x > x - MARGIN || at.y < MARGIN || at.y > y - covered - MARGIN;
    });
}

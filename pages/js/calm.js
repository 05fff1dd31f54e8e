/// Waits while a finger is down: what is about to be pressed must not move away under it.

/// After the finger is up: the click that it makes comes later.
const CLICK_MS = 350;
/// Nothing waits longer than this.
const LONGEST_MS = 2_000;

const waiting = new Set();
let isDown = false;
let release = null;
let end = null;

/// Runs it now, or once nothing is pressed any more; what waits already is run once.
export function whenCalm(work) {
    if (!isDown) return work();
    end ??= setTimeout(calm, LONGEST_MS);
    waiting.add(work);
}

function calm() {
    clearTimeout(release);
    clearTimeout(end);
    end = null;
    isDown = false;
    const works = [...waiting];
    waiting.clear();
    for (const work of works) work();
}

addEventListener("pointerdown", () => {
    clearTimeout(release);
    isDown = true;
}, { capture: true });
for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, () => {
        clearTimeout(release);
        if (isDown) release = setTimeout(calm, CLICK_MS);
    }, { capture: true });
}

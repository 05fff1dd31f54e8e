/// Defers changes while something is pressed or about to be: it must not move away under the finger.

/// A moving pointer is on its way; a finger is noticed only once it is down.
const WAY_MS = 300;
/// After the finger is up: its click follows later.
const CLICK_MS = 350;
/// The longest wait,
const LONGEST_MS = 2_000;
/// and how often it is checked.
const LOOK_MS = 50;

const waiting = new Set();
let isDown = false;
let calmAt = -Infinity;
let since = null;

/// Runs it now, or once nothing is pressed any more; work that is already waiting runs once.
export function whenCalm(work) {
    if (waiting.size === 0 && isCalm()) return work();
    if (waiting.size === 0) {
        since = performance.now();
        setTimeout(look, LOOK_MS);
    }
    waiting.add(work);
}

function isCalm() {
    return !isDown && performance.now() >= calmAt;
}

function look() {
    const isLate = performance.now() - since >= LONGEST_MS;
    if (!isLate && !isCalm()) return void setTimeout(look, LOOK_MS);
    isDown &&= !isLate;
    const works = [...waiting];
    waiting.clear();
    for (const work of works) work();
}

function note(milliseconds) {
    calmAt = Math.max(calmAt, performance.now() + milliseconds);
}

const options = { capture: true, passive: true };
addEventListener("pointermove", () => note(WAY_MS), options);
addEventListener("pointerdown", () => { isDown = true; }, options);
for (const kind of ["pointerup", "pointercancel"]) {
    addEventListener(kind, () => {
        isDown = false;
        note(CLICK_MS);
    }, options);
}

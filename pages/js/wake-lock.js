/// Keeps the screen on: with the screen off, a browser sends no position.

let wakeLock = null;
let isWanted = () => false;

/// Evaluates `condition` now, whenever the page becomes visible, and with each `keepAwake()`.
export function keepAwakeWhile(condition) {
    isWanted = condition;
    document.addEventListener("visibilitychange", keepAwake);
}

export async function keepAwake() {
    if (!isWanted() || document.visibilityState !== "visible") {
        wakeLock?.release?.();
        wakeLock = null;
        return;
    }
    if (wakeLock || !navigator.wakeLock) return;
    wakeLock = {};
    try {
        wakeLock = await navigator.wakeLock.request("screen");
        wakeLock.addEventListener("release", () => { wakeLock = null; });
    } catch {
        wakeLock = null;
    }
}

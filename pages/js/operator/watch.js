/// Polls the state of the service while the page is visible.

const EVERY_MS = 10_000;

/// - Parameters:
///   - ask: returns the state, or throws a ``Problem``.
///   - told: called with `{state}` or `{problem}`.
/// - Returns: `{stop()}`.
export function watchState(ask, told) {
    let timer = null;
    let isOver = false;
    let isAsking = false;

    async function look() {
        if (isOver || isAsking || document.hidden) return;
        clearTimeout(timer);
        isAsking = true;
        let found;
        try {
            found = { state: await ask() };
        } catch (problem) {
            found = { problem };
        }
        isAsking = false;
        if (isOver) return;
        const wait = Math.max(EVERY_MS, (found.problem?.retryAfter ?? 0) * 1000);
        timer = setTimeout(look, wait);
        told(found);
    }

    document.addEventListener("visibilitychange", look);
    look();
    return {
        stop() {
            isOver = true;
            clearTimeout(timer);
            document.removeEventListener("visibilitychange", look);
        },
    };
}

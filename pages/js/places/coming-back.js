/// Reloads data that failed to load, or may have changed, once there is a connection again.

import { isLive } from "../store.js";

const AGAIN_MS = 5_000;

export function whenBack(load) {
    let wasLive = isLive();
    let failedAt = null;
    return {
        /// After each attempt: the problem, if there was one.
        note(problem = null) {
            failedAt = problem?.isPassing ? performance.now() : null;
        },
        /// Periodically, while shown.
        check() {
            const isBack = isLive() && !wasLive;
            wasLive = isLive();
            const isDue = failedAt !== null && performance.now() - failedAt > AGAIN_MS;
            if (isBack || (isDue && isLive())) load();
        },
    };
}

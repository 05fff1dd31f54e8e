/// "I called 112": others rely on it and do not call, and it cannot be undone once they know.
/// It is delayed for a moment, so an accidental press can still be undone.

import { store } from "../store.js";
import { answer } from "./answers.js";

const GRACE_MS = 5_000;

/// user → sends it now.
const waiting = new Map();

export const called = {
    /// Whether it is about to be sent.
    isWaiting: (user) => waiting.has(user),

    /// Sends it in a moment.
    say(app, emergency) {
        const { user } = emergency;
        if (waiting.has(user)) return;
        const tell = async () => {
            clearTimeout(timer);
            await answer(app, emergency, "called");
            // Stays waiting until it is sent.
            waiting.delete(user);
            store.change(() => {});
        };
        const timer = setTimeout(tell, GRACE_MS);
        waiting.set(user, { tell, timer });
        store.change(() => {});
    },

    undo(user) {
        clearTimeout(waiting.get(user)?.timer);
        waiting.delete(user);
        store.change(() => {});
    },
};

/// Leaving the page confirms it.
document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const { tell } of waiting.values()) tell();
});

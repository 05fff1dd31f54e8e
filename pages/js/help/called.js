/// "I called 112": others rely on it and do not call, and it cannot be taken back once they know.
/// So it waits for a moment, in which a slip of the finger can still be undone.

import { store } from "../store.js";
import { answer } from "./answers.js";

const GRACE_MS = 5_000;

/// user → tells it now.
const waiting = new Map();

export const called = {
    /// Whether it is about to be told.
    isWaiting: (user) => waiting.has(user),

    /// Tells it in a moment.
    say(app, emergency) {
        const { user } = emergency;
        if (waiting.has(user)) return;
        const tell = async () => {
            clearTimeout(timer);
            await answer(app, emergency, "called");
            // Until it is told, it stays as it was.
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

/// Whoever leaves the page means what they have said.
document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const { tell } of waiting.values()) tell();
});

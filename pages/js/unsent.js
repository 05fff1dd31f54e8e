/// Messages that have not arrived: kept in the browser, and sent again with the same id, so that
/// nothing is posted twice.

import { newID } from "./api.js";
import { problemText } from "./form.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

const KEY = "kith.unsent";
const DRAFT_KEY = "kith.draft";
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000];

const listeners = new Set();
const sending = new Map();

function read() {
    return readStored(`${KEY}.${store.state.me?.user}`) ?? [];
}

function change(mutate) {
    writeStored(`${KEY}.${store.state.me?.user}`, mutate(read()));
    for (const listener of listeners) listener();
}

export const unsent = {
    /// `[{id,group,text,at,error?}]`, the oldest first.
    of: (group) => read().filter((message) => message.group === group)
        .map((message) => ({ ...message, isSending: sending.has(message.id) })),

    get count() { return read().length; },

    /// The storage key of my draft for a group.
    draftKey: (group) => `${DRAFT_KEY}.${store.state.me?.user}.${group}`,

    /// Deletes all of it, including drafts.
    forget(user) {
        writeStored(`${KEY}.${user}`, null);
        for (const key of Object.keys(localStorage)) {
            if (key.startsWith(`${DRAFT_KEY}.${user}.`)) localStorage.removeItem(key);
        }
    },

    listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
    },

    add(app, group, text) {
        const message = { id: newID(), group, text, at: new Date().toISOString() };
        change((all) => [...all, message]);
        attempt(app, message);
    },

    retry(app, id) {
        const message = read().find((each) => each.id === id);
        if (message) attempt(app, message);
    },

    discard(id) {
        change((all) => all.filter((each) => each.id !== id));
    },

    /// Tries everything again, after a start or when the network is back.
    retryAll(app) {
        for (const message of read()) if (!message.isRefused) attempt(app, message);
    },
};

// Another tab of the same person has sent one.
addEventListener("storage", ({ key }) => {
    if (!key?.startsWith(`${KEY}.`)) return;
    for (const listener of listeners) listener();
});

async function attempt(app, message, round = 0) {
    const { me } = store.state;
    if (!me || sending.has(message.id)) return;
    sending.set(message.id, true);
    update(message.id, { error: undefined });
    let problem = null;
    try {
        const answer = await app.call("chat.send", {
            id: message.id, group: message.group, text: message.text,
        });
        app.live.apply.chat(answer.message);
    } catch (caught) {
        problem = caught;
    }
    sending.delete(message.id);
    if (store.state.me?.user !== me.user) return;
    if (!problem) {
        change((all) => all.filter((each) => each.id !== message.id));
    } else if (problem.kind === "too-many") {
        // The answer to this id is final, so another attempt needs a new one.
        update(message.id, { id: newID(), error: problemText(problem) });
    } else {
        update(message.id, { error: problemText(problem), isRefused: !problem.isPassing });
        if (problem.isPassing && round < PAUSES_MS.length) {
            setTimeout(() => {
                if (read().some((each) => each.id === message.id)) attempt(app, message, round + 1);
            }, PAUSES_MS[round]);
        }
    }
}

function update(id, values) {
    change((all) => all.map((each) => (each.id === id ? { ...each, ...values } : each)));
}

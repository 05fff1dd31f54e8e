/// Values about the logged-in user, kept in this browser. They end with the session, are not readable
/// by other users who log in here, and are not kept for the demo, which anyone may watch.

import { onSessionEnd, session } from "./api.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

const keys = new Set();
let owner;

/// The value under a key: `{read(),write(value)}`; `read` returns null if there is none.
export function kept(key) {
    keys.add(key);
    return {
        read() {
            const found = readStored(key);
            return found && found.user === userOf(store.state) ? found.value ?? null : null;
        },
        write(value) {
            const user = userOf(store.state);
            if (user) writeStored(key, { user, value });
        },
    };
}

function userOf({ me }) {
    return me && !me.demo ? me.user : null;
}

function forget(isMeant = () => true) {
    for (const key of keys) if (isMeant(readStored(key))) writeStored(key, null);
}

function check({ me }) {
    const user = me?.user ?? null;
    if (user === owner) return;
    owner = user;
    // No user is logged in, even if the session ended while no page was open.
    if (user === null && !session.remembered()) forget();
    if (user !== null) forget((found) => found !== null && found.user !== user);
}

onSessionEnd(() => forget());
store.listenAlways(check);

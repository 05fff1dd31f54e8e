/// What was last known of everybody, kept in this browser, so that a page without a network still
/// shows where they were, and when that was.
///
/// One record, of the account that is logged in: it is erased at the log-out and when somebody else
/// logs in. One's own state is not kept: whether one shares or calls for help, only the server knows.
/// Nothing of the demo is kept, which everybody may watch.

import { onSessionEnd, session } from "./api.js";
import { store, newGroup } from "./store.js";
import { fixOf, groupOf, groupsOf, stateOf } from "./validation.js";

const DATABASE = "kith-last-known";
const STORE = "people";
const KEY = "newest";
/// The newest changes are kept after this long.
const PAUSE_MS = 10_000;

let timer = null;
let hasForgotten = false;
/// One after the other, so that nothing is written after it was erased.
let work = Promise.resolve();

/// Shows what was kept, unless the server has told something by now.
export async function restoreLastKnown() {
    const { me } = store.state;
    if (!me || me.demo) return;
    const kept = await inTurn((people) => people.get(KEY));
    if (!kept) return;
    if (kept.user !== me.user) return forgetLastKnown();
    if (store.state.me?.user !== me.user || store.state.groups.size > 0) return;
    store.change((state) => {
        for (const told of groupsOf(kept.groups)) {
            state.groups.set(told.group, restored(told));
        }
        for (const [user, fix] of kept.locations) {
            if (fixOf(fix)) state.locations.set(user, fix);
        }
        state.group ??= state.groups.has(kept.group)
            ? kept.group : state.groups.keys().next().value ?? null;
        state.heardAt ??= kept.heardAt;
    });
}

/// Erases it.
export function forgetLastKnown() {
    clearTimeout(timer);
    timer = null;
    return inTurn((people) => people.delete(KEY));
}

function restored({ group, name, members, states }) {
    const known = newGroup(group, name);
    Object.assign(known, groupOf({ name, members }) ?? {});
    for (const told of states) {
        const state = stateOf(told);
        // Whatever the server says is newer.
        if (state) known.states.set(state.user, { ...state, online: false, version: 0 });
    }
    return known;
}

// MARK: Keeping

onSessionEnd(() => forgetLastKnown());

store.listenAlways(({ me, connection }) => {
    if (!me) {
        // Nobody is logged in, also where the session has ended while no page was open.
        if (!session.remembered()) forgetOnce();
        return;
    }
    hasForgotten = false;
    if (me.demo || connection !== "live" || timer !== null) return;
    timer = setTimeout(keep, PAUSE_MS);
});
document.addEventListener("visibilitychange", () => document.hidden && timer !== null && keep());

function forgetOnce() {
    if (hasForgotten) return;
    hasForgotten = true;
    forgetLastKnown();
}

function keep() {
    clearTimeout(timer);
    timer = null;
    const { me, groups, group, locations, heardAt } = store.state;
    if (!me || me.demo || groups.size === 0) return;
    const record = {
        user: me.user, group, heardAt,
        groups: [...groups.values()].map((each) => ({
            group: each.group, name: each.name, members: each.members,
            states: [...each.states.values()].filter(({ user }) => user !== me.user),
        })),
        locations: [...locations],
    };
    inTurn((people) => {
        // Meanwhile the person may have logged out.
        if (store.state.me?.user === record.user) people.put(record, KEY);
    });
}

// MARK: The database

/// Runs `body` with the object store; without one, the page works as if nothing were kept.
function inTurn(body) {
    const turn = work.then(async () => {
        try {
            return await transact(body);
        } catch {
            return undefined;
        }
    });
    work = turn;
    return turn;
}

async function transact(body) {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    const database = await outcome(opening);
    try {
        const transaction = database.transaction(STORE, "readwrite");
        const request = body(transaction.objectStore(STORE));
        await new Promise((resolve, reject) => {
            transaction.oncomplete = resolve;
            transaction.onabort = () => reject(transaction.error);
        });
        return request?.result;
    } finally {
        database.close();
    }
}

function outcome(request) {
    return new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
    });
}

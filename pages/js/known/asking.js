/// Queries the channels by which other group members are reached, so that they are known before they
/// matter, even if the service is no longer reachable: `reached` in the store.

import { call } from "../api.js";
import { serverNow } from "../clock.js";
import { isLive, store } from "../store.js";

/// After the start, so that it delays nothing.
const FIRST_MS = 3_000;
const AGAIN_MS = 5 * 60_000;
/// During an SOS; after a failure.
const SOON_MS = 15_000;
/// The maximum number of member pages queried per group.
const PAGES = 20;

let timer = null;
let isAsking = false;
let asked = "";

/// Queries now.
export async function askReach() {
    clearTimeout(timer);
    timer = null;
    if (isAsking) return;
    isAsking = true;
    const isDone = await askAll();
    isAsking = false;
    if (mayAsk(store.state)) askIn(pause(store.state, isDone));
}

/// A hidden page does not query, except during an SOS.
function askIn(ms) {
    clearTimeout(timer);
    timer = setTimeout(() => {
        if (document.hidden && !isInSOS(store.state)) askIn(AGAIN_MS);
        else askReach();
    }, ms);
}

async function askAll() {
    const { me, groups } = store.state;
    let isDone = true;
    for (const group of [...groups.keys()]) {
        try {
            const ways = await waysOf(group);
            if (store.state.me?.user !== me?.user) return false;
            store.change((state) => { state.reached.set(group, { at: serverNow(), ways }); });
        } catch {
            // The known answer ages.
            isDone = false;
        }
    }
    return isDone;
}

/// user → channels.
async function waysOf(group) {
    const ways = new Map();
    let cursor;
    for (let page = 0; page < PAGES; page += 1) {
        const { members, next } = await call("members.get", { group, reached: true, cursor });
        for (const { user, reached } of members) {
            ways.set(user, Array.isArray(reached) ? reached : []);
        }
        cursor = next ?? undefined;
        if (cursor === undefined) break;
    }
    return ways;
}

function pause(state, isDone) {
    return isDone && !isInSOS(state) ? AGAIN_MS : SOON_MS;
}

function isInSOS({ me, groups }) {
    return [...groups.values()].some(({ states }) => states.get(me?.user)?.state === "sos");
}

/// Not in the demo, where no one is called.
function mayAsk(state) {
    return Boolean(state.me) && !state.me.demo && isLive(state) && state.isLoaded === true;
}

store.listenAlways((state) => {
    if (!mayAsk(state)) {
        clearTimeout(timer);
        timer = null;
        asked = "";
        return;
    }
    const members = JSON.stringify([isInSOS(state), ...[...state.groups.values()]
        .map((group) => [group.group, group.members.map(({ user }) => user)])]);
    if (members === asked) return;
    asked = members;
    askIn(isInSOS(state) ? 0 : FIRST_MS);
});

/// The last known state of everyone, kept in this browser, so that a page without a network still
/// shows where they were, when that was, their phone numbers, and the latest messages.
///
/// One record, for the logged-in account: it is erased at log-out, when another user logs in, and
/// after a day, since sharing may have ended in the meantime; a position whose end was announced is
/// not shown beyond it. The user's own state is not kept: only the server knows whether they share or
/// call for help. Nothing from the demo is kept, which anyone may watch.

import { onSessionEnd, session } from "./api.js";
import { clockOffset, restoreClock, serverNow } from "./clock.js";
import { record } from "./last-known-record.js";
import { restoreOwnPosition } from "./own-position.js";
import { isLive, store, newGroup } from "./store.js";
import { fixOf, groupOf, groupsOf, messageOf, stateOf } from "./validation.js";

/// From the last contact with the service.
const KEPT_MS = 24 * 60 * 60_000;
/// The newest messages of each group.
const CHAT_KEPT = 30;
/// Changes are saved after this long, the first ones sooner.
const PAUSE_MS = 10_000;
const FIRST_PAUSE_MS = 1_500;
/// How often ended sharing is checked for.
const TICK_MS = 30_000;

let timer = null;
let hasForgotten = false;
let hasKept = false;

/// Shows the kept state, unless the server has already sent something.
export async function restoreLastKnown() {
    const { me } = store.state;
    if (!me || me.demo) return;
    restoreOwnPosition();
    const kept = await record.read();
    if (!kept) return;
    restoreClock(kept.clock);
    if (kept.user !== me.user || !isYoung(kept.heardAt)) return forgetLastKnown();
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
    return record.erase();
}

function isYoung(heardAt) {
    return Math.abs(serverNow() - heardAt) < KEPT_MS;
}

function restored({ group, name, members, states, chat }) {
    const known = newGroup(group, name);
    Object.assign(known, groupOf({ name, members }) ?? {});
    for (const told of states) {
        const state = stateOf(told);
        // Anything from the server is newer.
        if (state) known.states.set(state.user, withoutEnded({ ...state, online: false, version: 0 }));
    }
    for (const told of Array.isArray(chat) ? chat : []) {
        const message = messageOf(told);
        // Until the service lists the existing ones.
        if (message) known.chat.set(message.id, { ...message, isKept: true });
    }
    return known;
}

/// A state without a position that is no longer shared. On a journey and in an SOS it is shown
/// beyond that time.
function withoutEnded(state) {
    const isOver = state.state === "active" && Date.parse(state.until) <= serverNow();
    return isOver ? { ...state, state: "inactive", fix: null } : state;
}

/// Without a connection, no one reports that sharing has ended.
function endShown() {
    if (isLive()) return;
    const { groups, heardAt, me } = store.state;
    const isOld = heardAt !== null && !isYoung(heardAt);
    store.change(({ locations }) => {
        for (const { states } of groups.values()) {
            for (const [user, state] of states) {
                if (user === me?.user) continue;
                states.set(user, isOld ? { ...state, fix: null } : withoutEnded(state));
            }
        }
        if (isOld) locations.clear();
    });
}

// MARK: Keeping

onSessionEnd(() => forgetLastKnown());
setInterval(endShown, TICK_MS);

store.listenAlways(({ me, connection }) => {
    if (!me) {
        // No user is logged in, even if the session ended while no page was open.
        if (!session.remembered()) forgetOnce();
        return;
    }
    hasForgotten = false;
    if (me.demo || connection !== "live" || timer !== null) return;
    timer = setTimeout(keep, hasKept ? PAUSE_MS : FIRST_PAUSE_MS);
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
    hasKept = true;
    const newest = {
        user: me.user, group, heardAt, clock: clockOffset(),
        groups: [...groups.values()].map((each) => ({
            group: each.group, name: each.name, members: each.members,
            states: [...each.states.values()].filter(({ user }) => user !== me.user),
            chat: [...each.chat.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-CHAT_KEPT),
        })),
        locations: [...locations],
    };
    // The person may have logged out in the meantime.
    record.write(newest, () => store.state.me?.user === newest.user);
}

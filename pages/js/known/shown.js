/// Who sees me: which groups see where I am now, which only where I was, and what follows an SOS.
/// The page's words about it are made from this.

import { serverNow } from "../clock.js";
import { isLive, store } from "../store.js";

/// - Returns: `{isKnown,now,before}`: the groups that see new positions, and those that keep an
///   earlier position of mine, each `{group,name,fix}`. A group without other people sees nothing.
export function shown(state = store.state) {
    const groups = [...state.groups.values()].map((group) => ({
        group: group.group, name: group.name, mine: group.states.get(state.me?.user),
        isAlone: group.members.length === 1 && group.members[0].user === state.me?.user,
    }));
    const of = (isMeant) => groups.filter(({ mine, isAlone }) => mine && !isAlone && isMeant(mine))
        .map(({ group, name, mine }) => ({ group, name, fix: mine.fix ?? null }));
    return {
        isKnown: isLive(state) && state.isLoaded === true && groups.every(({ mine }) => mine),
        now: of((mine) => mine.state !== "inactive"),
        before: of((mine) => mine.state === "inactive" && mine.fix),
    };
}

/// Whether a journey of mine waits until my SOS is over.
export function hasWaitingJourney({ me, groups } = store.state) {
    return [...groups.values()].map(({ states }) => states.get(me?.user))
        .some((mine) => mine?.state === "sos" && mine.journey);
}

/// What the groups of my SOS see of me once it is over: `[{until,names}]`, `until`: a time, `null` for
/// as long as I share, `"never"` for the last position only, `"nothing"` if there is none.
export function shownAfterSOS(state = store.state, now = serverNow()) {
    const found = new Map();
    for (const { name, states } of state.groups.values()) {
        const mine = states.get(state.me?.user);
        if (mine?.state !== "sos") continue;
        const isOver = mine.until && Date.parse(mine.until) <= now;
        const hasEnded = mine.after === "inactive" || isOver;
        const until = hasEnded ? (mine.fix ? "never" : "nothing") : mine.until ?? null;
        found.set(until, [...found.get(until) ?? [], name]);
    }
    return [...found].map(([until, names]) => ({ until, names }));
}

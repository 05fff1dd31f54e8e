/// Whom an SOS of mine would reach, and how: decided only here. All of the page's words about it are
/// made from it (`sos-words.js`, `people/reach-words.js`).

import { serverNow } from "../clock.js";
import { isLive, store } from "../store.js";
import { presenceOf } from "./presence.js";

/// The service's answer about a person's channels is valid this long.
const ANSWER_MS = 10 * 60_000;
/// Best first. `here`: connected now. `works`: a channel that has worked. `untried`: one that never
/// has, or fails. `nothing`: not connected, and no channel. `unknown`: not connected, or that is not
/// known, and the service has not reported the channels.
const WAYS = ["here", "works", "untried", "nothing", "unknown"];

/// - Parameter among: the ids of the groups to consider; all of mine by default.
/// - Returns: `{isLive,isKnown,groups,others}`. `groups`: the names of those with other people in
///   them; `others`: `[{user,name,way,by}]`, each once, best reached first; `isKnown`: whether the
///   groups' members are known.
export function reach(state = store.state, { among, now = serverNow() } = {}) {
    const { me, isLoaded } = state;
    const isUp = isLive(state);
    const groups = [...state.groups.values()].filter(({ group }) => among?.includes(group) ?? true);
    const others = new Map();
    for (const { group, members, states } of groups) {
        const answer = state.reached.get(group);
        const ways = answer && now - answer.at < ANSWER_MS ? answer.ways : null;
        for (const { user, name } of members) {
            if (user === me?.user) continue;
            const found = { user, name, ...wayTo(states.get(user), ways?.get(user), isUp) };
            const known = others.get(user);
            if (!known || rank(found) < rank(known)) others.set(user, found);
        }
    }
    return {
        isLive: isUp,
        isKnown: isLoaded === true && groups.every(({ members }) => members.length > 0),
        groups: groups.filter(({ members }) => members.length !== 1
            || members[0].user !== me?.user).map(({ name }) => name),
        others: [...others.values()].sort((a, b) => rank(a) - rank(b)),
    };
}

/// Those known to be reachable.
export const within = ({ others }) =>
    others.filter(({ way }) => way === "here" || way === "works");

/// Whether a channel has worked, and not failed since.
export const works = ({ workedAt, failing }) => workedAt !== undefined && !failing;

function wayTo(member, channels, isUp) {
    if (member && presenceOf(member, isUp).kind === "here") return { way: "here", by: [] };
    const working = (channels ?? []).filter(works);
    if (working.length > 0) return { way: "works", by: working.map(({ by }) => by) };
    if (!channels || !member || !isUp) return { way: "unknown", by: [] };
    return { way: channels.length > 0 ? "untried" : "nothing", by: [] };
}

const rank = ({ way }) => WAYS.indexOf(way);

/// The people on the map, and how they are shown: members of the chosen group, and sharing friends.

import { FRIEND_COLOUR, friendOf, isCurrent, membersOf } from "../member.js";
import { loadBeginning, pointsOf } from "../path.js";
import { chosenGroup, isLive } from "../store.js";

/// Friends' fixes and paths as the map has them; replaced only on changes, so that it can detect
/// them.
const friends = new WeakMap();
const paths = new WeakMap();

/// user → the input of `makePersonMarker`, the most important first.
export function shownPeople(state, colour) {
    const found = [];
    const chosen = chosenGroup(state);
    const isKnown = isLive(state);
    for (const member of chosen ? membersOf(chosen, state.me?.user) : []) {
        if (!member.fix || isOnlyFriend(member, state)) continue;
        const isMe = member.user === state.me?.user;
        // Where I am is better than where I was last seen.
        if (isMe && member.state === "inactive" && state.position) continue;
        found.push({
            member,
            colour: colour.get(member.user) ?? FRIEND_COLOUR,
            path: visiblePath(chosen, member, state.selected),
            isSelected: state.selected === member.user,
            isMe,
            isKnown,
            isCurrent: isCurrent(member),
        });
    }
    const members = new Set(found.map(({ member }) => member.user));
    for (const [user, fix] of state.locations) {
        if (members.has(user) || user === state.me?.user) continue;
        if (!friends.has(fix)) friends.set(fix, friendOf(user, state));
        found.push({
            member: friends.get(fix), colour: FRIEND_COLOUR, path: NO_PATH,
            isSelected: state.selected === user, isMe: false, kind: "friend", isKnown,
            isCurrent: true,
        });
    }
    found.sort((a, b) => priority(b) - priority(a) || (a.member.user < b.member.user ? -1 : 1));
    return new Map(found.map((view) => [view.member.user, view]));
}

/// Whether a member of the group is seen as a friend only.
export function isOnlyFriend(member, { locations }) {
    return member.state === "inactive" && locations.has(member.user);
}

function priority({ member, isMe }) {
    if (member.state === "sos") return 4;
    if (member.warnings?.length) return 3;
    return isMe ? 1 : 2;
}

const NO_PATH = [];

/// The path of an active journey or SOS; that of an ended SOS only if the member is selected.
function visiblePath(group, member, selected) {
    const goesOn = ["routing", "sos"].includes(member.state);
    if (!goesOn && selected !== member.user) return NO_PATH;
    if (selected === member.user) loadBeginning(group, member.user);
    const path = group.paths.get(member.user);
    if (!path) return NO_PATH;
    const parts = [path.beginning, ...path.older.values(), ...path.segments.values()];
    const known = paths.get(path);
    if (known?.parts.length === parts.length && parts.every((part, n) => part === known.parts[n])) {
        return known.points;
    }
    const points = pointsOf(path);
    paths.set(path, { parts, points });
    return points;
}

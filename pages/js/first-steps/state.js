/// Whether to show the first steps. That they have been shown is stored on this device, for each
/// account, without its name.

import { readStored, writeStored } from "../storage.js";

const KEY = "kith.first-steps";
const MOST = 30;

export function hasBeenShown({ user }) {
    const kept = readStored(KEY);
    return Array.isArray(kept) && kept.includes(mark(user));
}

export function noteShown({ user }) {
    const kept = readStored(KEY);
    const others = (Array.isArray(kept) ? kept : []).filter((each) => each !== mark(user));
    writeStored(KEY, [mark(user), ...others].slice(0, MOST));
}

/// Whether an account is new: in no group, or in groups that have never seen where it is. Null while
/// that is not known.
export function isNewcomer({ me, groups, connection }) {
    if (!me || connection !== "live") return null;
    if (me.demo) return false;
    if (groups.size === 0) return true;
    const own = [...groups.values()].map(({ states }) => states.get(me.user));
    if (own.some((state) => state && (state.state !== "inactive" || state.fix))) return false;
    return own.every(Boolean) ? true : null;
}

/// A hash of a name, which does not reveal the name.
function mark(user) {
    let value = 7;
    for (const unit of user) value = (value * 31 + unit.codePointAt(0)) >>> 0;
    return value;
}

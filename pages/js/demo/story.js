/// What the demo tells a visitor now: it follows what really happens to its people, and never says
/// what is not so.

import { emergencies, isSeen } from "../sos-state.js";
import { chosenGroup } from "../store.js";

/// The parts that a visitor goes through in this order, each when there is something to see of it.
const PARTS = ["hello", "journey", "stuck", "chat", "rehearsal"];

/// `{id,name?,place?,user?}`: a call for help comes before everything else.
///
/// - Parameters:
///   - done: the ids of the parts that the visitor has seen.
export function partNow(state, done) {
    const [call] = emergencies(state);
    if (call) return { id: isSeen(call) ? "seen" : "call", name: call.name, user: call.user };
    // What became of it is told once, and only to those who have been called.
    if (done.has("call") && !done.has("over")) return { id: "over" };
    for (const id of PARTS) {
        const part = done.has(id) ? null : partOf(id, state, done);
        if (part) return { id, ...part };
    }
    return { id: done.has("over") && PARTS.every((id) => done.has(id)) ? "end" : "wait" };
}

/// What the visitor has done by looking at it: the id of a part, or null.
///
/// - Parameter view: that is shown.
export function doneBy(part, { selected }, view) {
    const isDone = {
        journey: selected !== null && selected === part.user,
        stuck: view === "alerts",
        chat: view === "chat",
        seen: true,
    };
    if (!isDone[part.id]) return null;
    // Whoever has acknowledged it was called.
    return part.id === "seen" ? "call" : part.id;
}

/// Null where there is nothing to see of it now.
function partOf(id, state, done) {
    const group = chosenGroup(state);
    const others = [...group?.states.values() ?? []].filter(({ user }) => user !== state.me?.user);
    const count = group?.members.filter(({ user }) => user !== state.me?.user).length;
    // Who is in it comes after its name.
    if (!count || others.length === 0) return null;
    if (id === "hello") return { count };
    if (id === "chat") return group.chat.size > 0 ? {} : null;
    if (id === "rehearsal") return done.has("over") ? {} : null;
    const isStuck = ({ warnings }) => warnings.includes("stuck");
    const one = others.find((member) => member.state === "routing"
        && isStuck(member) === (id === "stuck"));
    return one ? { name: one.name, user: one.user, place: one.journey?.destination?.name } : null;
}

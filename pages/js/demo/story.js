/// The demo's current message to the visitor: it follows what actually happens to the people in it,
/// and never claims anything untrue.

import { emergencies, isSeen } from "../sos-state.js";
import { chosenGroup } from "../store.js";

/// The parts a visitor goes through in this order, each when there is something to see.
const PARTS = ["hello", "journey", "stuck", "chat", "rehearsal"];

/// `{id,name?,place?,user?}`: a call for help takes precedence.
///
/// - Parameters:
///   - done: the ids of the parts the visitor has seen.
export function partNow(state, done) {
    const [call] = emergencies(state);
    if (call) return { id: isSeen(call) ? "seen" : "call", name: call.name, user: call.user };
    // Its end is shown once, and only to visitors who were called.
    if (done.has("call") && !done.has("over")) return { id: "over" };
    for (const id of PARTS) {
        const part = done.has(id) ? null : partOf(id, state, done);
        if (part) return { id, ...part };
    }
    return { id: done.has("over") && PARTS.every((id) => done.has(id)) ? "end" : "wait" };
}

/// The part completed by looking at it: its id, or null.
///
/// - Parameter view: the current view.
export function doneBy(part, { selected }, view) {
    const isDone = {
        journey: selected !== null && selected === part.user,
        stuck: view === "alerts",
        chat: view === "chat",
        seen: true,
    };
    if (!isDone[part.id]) return null;
    // A visitor who has acknowledged it was called.
    return part.id === "seen" ? "call" : part.id;
}

/// Null if there is nothing to see of it now.
function partOf(id, state, done) {
    const group = chosenGroup(state);
    const others = [...group?.states.values() ?? []].filter(({ user }) => user !== state.me?.user);
    const count = group?.members.filter(({ user }) => user !== state.me?.user).length;
    // Its members are received after its name.
    if (!count || others.length === 0) return null;
    if (id === "hello") return { count };
    if (id === "chat") return group.chat.size > 0 ? {} : null;
    if (id === "rehearsal") return done.has("over") ? {} : null;
    const isStuck = ({ warnings }) => warnings.includes("stuck");
    const one = others.find((member) => member.state === "routing"
        && isStuck(member) === (id === "stuck"));
    return one ? { name: one.name, user: one.user, place: one.journey?.destination?.name } : null;
}

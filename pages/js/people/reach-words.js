/// By what an SOS would reach somebody now, in words.

import { duration, together } from "../format.js";
import { serverNow } from "../clock.js";

const HOUR_MS = 3_600_000;
const WAYS = { push: "push", mail: "e-mail", webhook: "webhook" };

/// - Parameter member: `{name,online,reached:[{by,workedAt?,failing?}]}` of `members.get`.
/// - Returns: `{text,look}`: "by push (worked 2 h ago) and e-mail (not tried yet)", and the class of
///   the words.
export function reachOf({ online, reached }, { isMe = false, now = serverNow() } = {}) {
    if (reached.length === 0) {
        const whose = isMe ? "yours" : "theirs";
        return online
            ? { text: `only while a page or an app of ${whose} is open`, look: "warning-text" }
            : { text: "by nothing, until they open Kith", look: "warning-text" };
    }
    const ways = reached.map((each) => `${WAYS[each.by] ?? each.by} (${wordsOf(each, now)})`);
    return {
        text: `by ${together(ways)}`, look: reached.some(works) ? "good-text" : "warning-text",
    };
}

/// The whole group in a sentence. `members` are the others.
export function summary(members) {
    const all = members.length;
    if (all === 0) return "Nobody else is in the group: an SOS would reach nobody.";
    const count = members.filter(({ reached }) => reached.some(works)).length;
    const whom = all === 1 ? "the only other member" : count === all
        ? `all ${all} others` : `${count} of the ${all} others`;
    if (all === 1 && count === 0) {
        return "Nothing is known to work that would reach the only other member while nothing of "
            + "theirs is open.";
    }
    return `An SOS now would reach ${whom} by something that has worked, even while nothing of `
        + "theirs is open.";
}

function works({ workedAt, failing }) {
    return workedAt !== undefined && !failing;
}

/// The service tells the hour alone.
function wordsOf({ workedAt, failing }, now) {
    const passed = workedAt === undefined ? null : now - new Date(workedAt);
    const worked = passed === null ? null : passed < HOUR_MS
        ? "worked within the hour" : `worked ${duration(passed - passed % HOUR_MS)} ago`;
    if (failing) return `fails at the moment${worked ? `, ${worked}` : ""}`;
    return worked ?? "not tried yet";
}

/// By what an SOS would reach somebody now, in words.

import { duration, number, together } from "../format.js";
import { serverNow } from "../clock.js";
import { isHere } from "../known/presence.js";
import { works } from "../known/reach.js";
import { wayWords } from "../known/sos-words.js";
import { t } from "../language.js";
import { HOUR_MS } from "../units.js";

/// - Parameter member: `{online,leftAt?,reached:[{by,workedAt?,failing?}]}` of `members.get`.
/// - Returns: `{text,look}`: "by push (worked 2 h ago) and email (not tried yet)", and the class of
///   the words.
export function reachOf(member, { isMe = false, now = serverNow() } = {}) {
    const { reached } = member;
    if (reached.length === 0) {
        const text = !isHere(member) ? t("by nothing, until they open Kith")
            : isMe ? t("only while a page or an app of yours is open")
                : t("only while a page or an app of theirs is open");
        return { text, look: "warning-text" };
    }
    const ways = reached.map((each) => `${wayWords(each.by)} (${wordsOf(each, now)})`);
    return {
        text: t("by {list}", { list: together(ways) }),
        look: reached.some(works) ? "good-text" : "warning-text",
    };
}

/// The whole group in a sentence. `members` are the others.
export function summary(members) {
    const all = members.length;
    if (all === 0) return t("Nobody else is in the group: an SOS would reach nobody.");
    const count = members.filter(({ reached }) => reached.some(works)).length;
    if (all === 1 && count === 0) {
        return t("Nothing is known to work that would reach the only other member while nothing of "
            + "theirs is open.");
    }
    if (all === 1) {
        return t("An SOS now would reach the only other member by something that has worked, even while "
            + "nothing of theirs is open.");
    }
    return count === all
        ? t("An SOS now would reach all {all} others by something that has worked, even while nothing of "
            + "theirs is open.", { all: number(all) })
        : t("An SOS now would reach {count} of the {all} others by something that has worked, even while "
            + "nothing of theirs is open.", { count: number(count), all: number(all) });
}

/// The service tells the hour alone.
function wordsOf({ workedAt, failing }, now) {
    const passed = workedAt === undefined ? null : now - new Date(workedAt);
    const worked = passed === null ? null : passed < HOUR_MS
        ? t("worked within the hour")
        : t("worked {duration} ago", { duration: duration(passed - passed % HOUR_MS) });
    if (failing) return worked ? t("fails at the moment, {worked}", { worked }) : t("fails at the moment");
    return worked ?? t("not tried yet");
}

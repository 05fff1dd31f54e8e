/// How an SOS would reach a member now, in words.

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
        const text = !isHere(member) ? t("not reachable until they open Kith")
            : isMe ? t("only while you have a page or app open")
                : t("only while they have a page or app open");
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
    if (all === 0) return t("No one else is in the group: an SOS would reach no one.");
    const count = members.filter(({ reached }) => reached.some(works)).length;
    if (all === 1 && count === 0) {
        return t("No way of reaching the only other member is known to work while they have nothing open.");
    }
    if (all === 1) {
        return t("An SOS now would reach the only other member in a way that has worked before, even "
            + "while they have nothing open.");
    }
    return count === all
        ? t("An SOS now would reach all {all} others in a way that has worked before, even while they "
            + "have nothing open.", { all: number(all) })
        : t("An SOS now would reach {count} of the {all} others in a way that has worked before, even "
            + "while they have nothing open.", { count: number(count), all: number(all) });
}

/// The service reports only the hour.
function wordsOf({ workedAt, failing }, now) {
    const passed = workedAt === undefined ? null : now - new Date(workedAt);
    const worked = passed === null ? null : passed < HOUR_MS
        ? t("worked within the last hour")
        : t("worked {duration} ago", { duration: duration(passed - passed % HOUR_MS) });
    if (failing) return worked ? t("currently failing, {worked}", { worked }) : t("currently failing");
    return worked ?? t("not tried yet");
}

/// Whether a person is there, and the words for it.

import { serverNow } from "../clock.js";
import { age } from "../format.js";
import { t } from "../language.js";

/// - Parameter isKnown: whether the connection is up.
/// - Returns: `{kind,at?}`, `kind`: `here`, a page or an app of theirs is connected; `left`, the last
///   one was closed, `at` that time; `away`; `unknown`.
export function presenceOf(member, isKnown) {
    if (!isKnown || member.isUnknown) return { kind: "unknown" };
    if (!member.online) return { kind: "away" };
    return member.leftAt ? { kind: "left", at: member.leftAt } : { kind: "here" };
}

export function presenceWords({ kind, at }, now = serverNow()) {
    switch (kind) {
    case "here": return t("Online");
    case "left": return t("Page closed {age}", { age: age(at, now) });
    case "away": return t("Offline");
    default: return t("Not known now");
    }
}

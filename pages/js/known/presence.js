/// Whether a person is connected, and the words for it.

import { serverNow } from "../clock.js";
import { age } from "../format.js";
import { t } from "../language.js";

/// Whether a page or an app of theirs is connected.
export const isHere = ({ online, leftAt }) => online === true && !leftAt;

/// - Parameter isKnown: whether the connection is up.
/// - Returns: `{kind,at?}`, `kind`: `here`; `left`, the last connection ended, `at`: when it was last
///   heard from; `away`; `unknown`.
export function presenceOf(member, isKnown) {
    if (!isKnown || member.isUnknown) return { kind: "unknown" };
    if (!member.online) return { kind: "away" };
    return isHere(member) ? { kind: "here" } : { kind: "left", at: member.leftAt };
}

export function presenceWords({ kind, at }, now = serverNow()) {
    switch (kind) {
    case "here": return t("Online");
    case "left": return t("Last connected {age}", { age: age(at, now) });
    case "away": return t("Offline");
    default: return t("Status unknown");
    }
}

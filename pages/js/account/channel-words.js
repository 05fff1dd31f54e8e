/// What is said about a channel: how it is, and what it tells.

import { age } from "../format.js";
import { t } from "../language.js";

export const KINDS = { push: t("Browser"), mail: t("Email"), webhook: t("Webhook") };

/// What can be chosen; an SOS cannot, it is always told.
export const NEWS = {
    alerts: t("Somebody is late, stuck, offline or silent"),
    journeys: t("Journeys begin and arrive"),
    notices: t("Notices, such as being added to a group"),
};

const FAILURES = {
    unreachable: t("the receiver does not answer"),
    timeout: t("the receiver took too long"),
    tls: t("there is no safe connection to the receiver"),
    "forbidden-address": t("nothing may be sent to that address"),
    refused: t("the receiver refused it"),
    "too-many": t("the receiver wants fewer messages"),
    gone: t("it no longer exists there"),
    "mail-server": t("the service's mail server refuses it, which only its operator can mend"),
    "not-offered": t("this installation has no way of sending it"),
    unsendable: t("it cannot be sent like this"),
};

/// - Returns: `{text,look}`: how well it works, and the class of the words.
export function stateOf({ confirmed, workedAt, failedAt, failure }, now) {
    if (!confirmed) return { text: t("waits for the code that was sent there"), look: "warning-text" };
    if (failedAt) {
        const reason = FAILURES[failure] ?? t("it could not be sent");
        const values = { age: age(failedAt, now), reason, before: workedAt && age(workedAt, now) };
        return {
            text: workedAt ? t("failed {age}: {reason}, worked {before}", values)
                : t("failed {age}: {reason}", values),
            look: "warning-text",
        };
    }
    if (workedAt) return { text: t("worked {age}", { age: age(workedAt, now) }), look: "good-text" };
    return { text: t("not tried yet"), look: "muted" };
}

/// The zone of the clock on this screen.
export function ownZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/// When it is quiet; by whose clocks, unless they are those of this screen.
export function quietText({ from, to, timeZone }, zone = ownZone()) {
    return `${from}–${to}${timeZone === zone ? "" : ` (${timeZone})`}`;
}

/// What a test has shown, from the channel before it and now; null while nothing is known.
export function testResult(before, after, now) {
    if (!after) return { text: t("It has been removed: it no longer exists there."), kind: "error" };
    if (after.failedAt && after.failedAt !== before.failedAt) {
        return { text: `${after.label}: ${stateOf(after, now).text}.`, kind: "error" };
    }
    if (!after.workedAt || after.workedAt === before.workedAt) return null;
    return {
        text: t("{label} works: the test has been taken there.", { label: after.label }), kind: "good",
    };
}

/// Texts about a channel: its state, and what it notifies about.

import { age } from "../format.js";
import { t } from "../language.js";

export const KINDS = { push: t("Browser"), mail: t("Email"), webhook: t("Webhook") };

/// What can be chosen; not an SOS, which is always sent.
export const NEWS = {
    alerts: t("Someone is late, stuck, offline or silent"),
    journeys: t("Journeys start and arrive"),
    notices: t("Notices, such as being added to a group"),
};

const FAILURES = {
    unreachable: t("the receiver does not answer"),
    timeout: t("the receiver took too long"),
    tls: t("there is no secure connection to the receiver"),
    "forbidden-address": t("sending to that address is not allowed"),
    refused: t("the receiver refused it"),
    "too-many": t("the receiver limits the message rate"),
    gone: t("it no longer exists there"),
    "mail-server": t("the service's mail server rejects it; only its operator can fix that"),
    "not-offered": t("this installation has no way to send it"),
    unsendable: t("it can't be sent in this form"),
};

/// - Returns: `{text,look}`: how well it works, and the class of the words.
export function stateOf({ confirmed, workedAt, failedAt, failure }, now) {
    if (!confirmed) return { text: t("waiting for the code sent there"), look: "warning-text" };
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

/// This device's time zone.
export function ownZone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

/// The quiet hours; with their time zone, unless it is this device's.
export function quietText({ from, to, timeZone }, zone = ownZone()) {
    return `${from}–${to}${timeZone === zone ? "" : ` (${timeZone})`}`;
}

/// The result of a test, from the channel before it and now; null while not known.
export function testResult(before, after, now) {
    if (!after) return { text: t("It was removed: it no longer exists there."), kind: "error" };
    if (after.failedAt && after.failedAt !== before.failedAt) {
        return { text: `${after.label}: ${stateOf(after, now).text}.`, kind: "error" };
    }
    if (!after.workedAt || after.workedAt === before.workedAt) return null;
    return {
        text: t("{label} works: the test was accepted.", { label: after.label }), kind: "good",
    };
}

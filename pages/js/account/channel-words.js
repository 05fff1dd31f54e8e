/// What is said about a channel: how it is, and what it tells.

import { age } from "../format.js";

export const KINDS = { push: "Browser", mail: "E-mail", webhook: "Webhook" };

/// What can be chosen; an SOS cannot, it is always told.
export const NEWS = {
    alerts: "Somebody is late, stuck, offline or silent",
    journeys: "Journeys begin and arrive",
    notices: "Notices, such as being added to a group",
};

const FAILURES = {
    unreachable: "the receiver does not answer",
    timeout: "the receiver took too long",
    tls: "there is no safe connection to the receiver",
    "forbidden-address": "nothing may be sent to that address",
    refused: "the receiver refused it",
    "too-many": "the receiver wants fewer messages",
    gone: "it no longer exists there",
    "not-offered": "this installation has no way of sending it",
    unsendable: "it cannot be sent like this",
};

/// - Returns: `{text,look}`: how well it works, and the class of the words.
export function stateOf({ confirmed, workedAt, failedAt, failure }, now) {
    if (!confirmed) return { text: "waits for the code that was sent there", look: "warning-text" };
    if (failedAt) {
        const reason = FAILURES[failure] ?? "it could not be sent";
        const before = workedAt ? `, worked ${age(workedAt, now)}` : "";
        return { text: `failed ${age(failedAt, now)}: ${reason}${before}`, look: "warning-text" };
    }
    if (workedAt) return { text: `worked ${age(workedAt, now)}`, look: "good-text" };
    return { text: "not tried yet", look: "muted" };
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
    if (!after) return { text: "It has been removed: it no longer exists there.", kind: "error" };
    if (after.failedAt && after.failedAt !== before.failedAt) {
        return { text: `${after.label}: ${stateOf(after, now).text}.`, kind: "error" };
    }
    if (!after.workedAt || after.workedAt === before.workedAt) return null;
    return { text: `${after.label} works: the test has been taken there.`, kind: "good" };
}

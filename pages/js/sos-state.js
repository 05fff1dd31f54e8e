/// Who needs help now, and the alerts about it.

import { CALLS_FOR_HELP } from "./contract.js";
import { acknowledgedBy } from "./help/answers.js";
import { store } from "./store.js";

const SOS = ["sos", "in-need"];

/// Whether the alert reports the start of an SOS, for any cause.
export const isSOS = ({ kind }) => SOS.includes(kind);
/// Whether the alert needs immediate attention: an SOS, or one that has not been answered.
export const needsAttention = ({ kind }) => CALLS_FOR_HELP.has(kind);
/// Whether the alert reports that dispatch has not answered.
const isUnanswered = ({ kind }) => kind === "unanswered";

/// The maximum difference between the times of an alert and of the state that it caused.
const TOLERANCE_MS = 5_000;

/// `[{user,name,since,cause,assistedAt,number,isUnanswered,phone,fix,responses,groups,alerts}]` of
/// others who are in an SOS, newest first; `number`: for calling help where they are; `phone`: for
/// calling them.
export function emergencies(state = store.state) {
    return gather(state, ({ user }) => user !== state.me?.user);
}

/// The same for one person, including me; null if they are not in an SOS.
export function emergencyOf(user, state = store.state) {
    return gather(state, (member) => member.user === user)[0] ?? null;
}

function gather(state, isMeant) {
    const found = new Map();
    for (const group of state.groups.values()) {
        for (const member of group.states.values()) {
            if (member.state !== "sos" || !isMeant(member)) continue;
            const { user, name, since, cause, assistedAt } = member;
            const known = found.get(user)
                ?? { user, name, since, cause, assistedAt, responses: [], groups: [], alerts: [] };
            known.groups.push(group.group);
            known.responses.push(...member.responses ?? []);
            known.phone ??= member.phone;
            if (!known.fix || member.fix?.timestamp > known.fix.timestamp) known.fix = member.fix;
            const alert = newest(group, member, isSOS);
            if (alert) known.alerts.push(alert);
            const unanswered = newest(group, member, isUnanswered);
            known.number ??= unanswered?.number ?? alert?.number;
            known.isUnanswered ||= unanswered !== null && !assistedAt;
            if (member.since < known.since) known.since = member.since;
            found.set(member.user, known);
        }
    }
    return [...found.values()].sort((a, b) => (a.since < b.since ? 1 : -1));
}

function newest(group, member, isMeant) {
    const from = new Date(member.since) - TOLERANCE_MS;
    let found = null;
    for (const alert of group.alerts.values()) {
        if (!isMeant(alert) || alert.user !== member.user) continue;
        if (new Date(alert.at) < from) continue;
        if (!found || alert.id > found.id) found = alert;
    }
    return found;
}

/// Whether the SOS or warning that an alert reports has ended, as far as the page knows.
export function isOver(alert, group) {
    const member = group?.states.get(alert.user);
    if (!member) {
        const members = group?.members ?? [];
        return members.length > 0 && !members.some(({ user }) => user === alert.user);
    }
    if (!needsAttention(alert)) return !(member.warnings ?? []).includes(alert.kind);
    return member.state !== "sos" || new Date(alert.at) < new Date(member.since) - TOLERANCE_MS;
}

/// Whether I have acknowledged all these alerts.
export function isSeen({ alerts }, me = store.state.me?.user) {
    return alerts.length > 0 && alerts.every((alert) => acknowledgedBy(alert).includes(me));
}

/// A member's state in words, the same in the list, the markers and the banner.

import { serverNow } from "./clock.js";
import { age, distance, duration, moment, percent, speed } from "./format.js";
import { t } from "./language.js";

const PALETTE = [
    "#1f6f8b", "#7a4b9d", "#a3472b", "#2f6b3a", "#8a3a6b", "#4a5a1f", "#34528f", "#8a5a00",
    "#00695c", "#5d4037", "#6a3fb0", "#9c2f4f",
];
export const FRIEND_COLOUR = "#44524d";
const STANDING_STILL = 0.4;
const OLD_MS = 5 * 60_000;
const WARNINGS = {
    late: "Late", stuck: "Not moving", silent: "No position comes", offline: "Offline",
};

/// A colour for each person of a group, all different as far as the palette goes.
export function colours(users) {
    const taken = new Set();
    const found = new Map();
    for (const user of [...users].sort()) {
        let index = hash(user) % PALETTE.length;
        for (let n = 0; n < PALETTE.length && taken.has(index); n += 1) {
            index = (index + 1) % PALETTE.length;
        }
        taken.add(index);
        found.set(user, PALETTE[index]);
    }
    return found;
}

/// A friend who shares their position with me, in the form of a group member; or null.
export function friendOf(user, state) {
    const fix = state.locations.get(user);
    if (!fix) return null;
    return {
        user, name: fix.name ?? user, kind: "friend", state: "active", online: true, warnings: [], fix,
    };
}

/// One or two letters.
export function initials(name) {
    const words = name.trim().split(/\s+/u).filter(Boolean);
    const first = [...(words[0] ?? "?")][0];
    const last = words.length > 1 ? [...words.at(-1)][0] : "";
    return (first + last).toUpperCase();
}

/// `{label, tone, detail, warnings}`: the words for a state, and its tone.
export function describe(member, now = serverNow()) {
    const warnings = (member.warnings ?? []).map((name) => WARNINGS[name]).filter(Boolean);
    const where = member.journey?.destination?.name ?? "the destination";
    if (member.kind === "friend") return { label: "Friend", tone: "", detail: "", warnings };
    switch (member.state) {
    case "sos":
        return {
            label: "SOS", tone: "danger", detail: `since ${moment(member.since, now)}`, warnings,
        };
    case "routing":
        if (isCheckIn(member)) {
            return {
                label: t("Check-in"), tone: "accent", warnings,
                detail: t("by {time}", { time: moment(member.journey.eta, now) }),
            };
        }
        return { label: "On the way", tone: "accent", detail: `to ${where}`, warnings };
    case "active":
        return { label: "Sharing", tone: "good", detail: "", warnings };
    default:
        return {
            label: "Not sharing", tone: "", warnings,
            detail: member.fix ? "(last known position)" : "",
        };
    }
}

/// Whether they have only said until when they are all right, and not where they go.
function isCheckIn({ journey }) {
    return Boolean(journey) && !journey.destination;
}

/// "1.2 km left · arrives about 14:32 (in 8 min)".
export function journeyWords({ destination, eta, remainingDistance }, now = serverNow()) {
    if (!destination) {
        const left = new Date(eta) - now;
        return left >= 0
            ? t("Has promised to check in by {time}: {duration} left",
                { time: moment(eta, now), duration: duration(left) })
            : t("Should have checked in at {time}, {duration} ago",
                { time: moment(eta, now), duration: duration(-left) });
    }
    const parts = [];
    if (remainingDistance !== undefined) parts.push(`${distance(remainingDistance)} to go`);
    const left = new Date(eta) - now;
    parts.push(left >= 0
        ? `expected ${moment(eta, now)}, in\u00a0${duration(left)}`
        : `expected ${moment(eta, now)}, ${duration(-left)}\u00a0ago`);
    return parts.join(" · ");
}

/// Age, accuracy, speed and battery level.
export function fixWords(fix) {
    const parts = [];
    if (Number.isFinite(fix.accuracy)) parts.push(`± ${distance(fix.accuracy)}`);
    if (fix.speed > STANDING_STILL) parts.push(speed(fix.speed));
    if (Number.isFinite(fix.battery)) parts.push(`battery ${percent(fix.battery)}`);
    return parts;
}

export function ageWords(fix, now = serverNow()) {
    return fix ? age(fix.timestamp, now) : "no position yet";
}

/// Whether the position is current, as far as the page can tell.
export function isCurrent(member, now = serverNow()) {
    return Boolean(member.online && member.fix && member.state !== "inactive"
        && now - new Date(member.fix.timestamp) < OLD_MS);
}

export function isMoving(fix) {
    return fix.speed > STANDING_STILL && Number.isFinite(fix.heading);
}

/// The members of a group with their states: those who need help first, me last.
export function membersOf(group, me) {
    const names = new Map(group.members.map((member) => [member.user, member.name]));
    for (const state of group.states.values()) {
        if (names.size === 0 || !group.members.length) names.set(state.user, state.name);
    }
    const rank = { sos: 0, routing: 1, active: 2, inactive: 3 };
    return [...names]
        .map(([user, name]) => group.states.get(user)
            ?? { user, name, state: "inactive", online: false, warnings: [], fix: null })
        .sort((a, b) =>
            (rank[a.state] === 0 ? 0 : 1) - (rank[b.state] === 0 ? 0 : 1)
            || (a.user === me ? 1 : 0) - (b.user === me ? 1 : 0)
            || rank[a.state] - rank[b.state]
            || a.name.localeCompare(b.name));
}

function hash(text) {
    let value = 7;
    for (const unit of text) value = (value * 31 + unit.codePointAt(0)) >>> 0;
    return value;
}

/// A member's state in words, the same in the list, the markers and the banner.

import { isolate } from "./bidi.js";
import { serverNow } from "./clock.js";
import { age, distance, duration, moment, percent, speed } from "./format.js";
import { accuracyWords } from "./known/accuracy.js";
import { isHere } from "./known/presence.js";
import { t } from "./language.js";

const PALETTE = [
    "#1f6f8b", "#7a4b9d", "#a3472b", "#2f6b3a", "#8a3a6b", "#4a5a1f", "#34528f", "#8a5a00",
    "#00695c", "#5d4037", "#6a3fb0", "#9c2f4f",
];
export const FRIEND_COLOUR = "#44524d";
const STANDING_STILL = 0.4;
const OLD_MS = 5 * 60_000;
/// Each takes the position and the time.
const WARNINGS = {
    late: () => t("Late"),
    stuck: () => t("Not moving"),
    silent: () => t("No new position"),
    offline: () => t("Offline"),
    clock: (fix, now) => (fix
        ? t("No position since {time}: the phone's clock is wrong",
            { time: moment(fix.timestamp, now) })
        : t("No position: the phone's clock is wrong")),
};
/// Comparing is much faster with a reused collator.
const collator = new Intl.Collator();

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
        avatar: state.pictures.get(user),
    };
}

/// The users who share a display name with another of these members.
export function namesakes(members) {
    const first = new Map();
    const found = new Set();
    for (const { user, name } of members) {
        const key = name.normalize("NFKC").trim().toLocaleLowerCase();
        if (!first.has(key)) {
            first.set(key, user);
        } else {
            found.add(user).add(first.get(key));
        }
    }
    return found;
}

/// Members whose name or user name contains the text, ignoring accents and case.
export function matching(members, text) {
    const wanted = plain(text.trim());
    if (!wanted) return members;
    return members.filter(({ user, name }) =>
        plain(name).includes(wanted) || plain(`@${user}`).includes(wanted));
}

function plain(text) {
    return text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();
}

/// One or two letters.
export function initials(name) {
    const words = name.trim().split(/\s+/u).filter(Boolean);
    const first = [...(words[0] ?? "?")][0];
    const last = words.length > 1 ? [...words.at(-1)][0] : "";
    return (first + last).toUpperCase();
}

/// `{label, tone, text, warnings}`: a state in words, alone and with its details, and its tone.
export function describe(member, now = serverNow()) {
    const warnings = (member.warnings ?? []).filter((name) => Object.hasOwn(WARNINGS, name))
        .map((name) => WARNINGS[name](member.fix, now));
    const [label, tone, text = label] = words(member, now);
    return { label, tone, text, warnings };
}

function words(member, now) {
    if (member.kind === "friend") return [t("Friend"), ""];
    if (member.isUnknown) return [t("Not known yet"), ""];
    const { journey } = member;
    switch (member.state) {
    case "sos":
        return [t("SOS"), "danger", t("SOS since {time}", { time: moment(member.since, now) })];
    case "routing":
        if (journey && !journey.destination) {
            return [t("Check-in"), "accent",
                t("Check-in by {time}", { time: moment(journey.eta, now) })];
        }
        return [t("On the way"), "accent", journey?.destination.name
            ? t("On the way to {place}", { place: isolate(journey.destination.name) })
            : t("On the way to the destination")];
    case "active":
        return [t("Sharing"), "good"];
    default:
        return [t("Not sharing"), "", member.fix
            ? t("Not sharing (last known position)") : t("Not sharing")];
    }
}

/// "1.2 km to go · expected 14:32, in 8 min".
export function journeyWords({ destination, eta, remainingDistance }, now = serverNow()) {
    const left = new Date(eta) - now;
    const values = { time: moment(eta, now), duration: duration(Math.abs(left)) };
    if (!destination) {
        return left >= 0
            ? t("Check-in by {time}, in\u00a0{duration}", values)
            : t("Check-in was due at {time}, {duration}\u00a0ago", values);
    }
    const parts = [];
    if (remainingDistance !== undefined) {
        parts.push(t("{distance} to go", { distance: distance(remainingDistance) }));
    }
    parts.push(left >= 0 ? t("expected {time}, in\u00a0{duration}", values)
        : t("expected {time}, {duration}\u00a0ago", values));
    return parts.join(" · ");
}

/// Age, accuracy, speed and battery level.
export function fixWords(fix) {
    const parts = [accuracyWords(fix)].filter(Boolean);
    if (fix.speed > STANDING_STILL) parts.push(speed(fix.speed));
    if (Number.isFinite(fix.battery)) parts.push(t("battery {percent}", { percent: percent(fix.battery) }));
    return parts;
}

export function ageWords(fix, now = serverNow()) {
    return fix ? age(fix.timestamp, now) : t("no position yet");
}

/// Whether the position is current, as far as the page can tell.
export function isCurrent(member, now = serverNow()) {
    return Boolean(isHere(member) && member.fix && member.state !== "inactive"
        && now - new Date(member.fix.timestamp) < OLD_MS);
}

export function isMoving(fix) {
    return fix.speed > STANDING_STILL && Number.isFinite(fix.heading);
}

/// The members of a group with their states: people who need help first, me last.
export function membersOf(group, me) {
    const names = new Map(group.members.map((member) => [member.user, member.name]));
    for (const state of group.states.values()) {
        if (names.size === 0 || !group.members.length) names.set(state.user, state.name);
    }
    const rank = { sos: 0, routing: 1, active: 2, inactive: 3 };
    return [...names]
        .map(([user, name]) => group.states.get(user)
            ?? {
                user, name, state: "inactive", online: false, warnings: [], fix: null,
                isUnknown: true,
            })
        .sort((a, b) =>
            (rank[a.state] === 0 ? 0 : 1) - (rank[b.state] === 0 ? 0 : 1)
            || (a.user === me ? 1 : 0) - (b.user === me ? 1 : 0)
            || rank[a.state] - rank[b.state]
            || collator.compare(a.name, b.name));
}

function hash(text) {
    let value = 7;
    for (const unit of text) value = (value * 31 + unit.codePointAt(0)) >>> 0;
    return value;
}

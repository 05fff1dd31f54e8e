/// Rules about places in sentences: who is notified when someone arrives, leaves, or is not there.

import { time, together } from "../format.js";
import { t, tn } from "../language.js";
import { dayWords } from "./repetition.js";
import { zoneWords } from "./words.js";

/// - Parameters:
///   - rule: a GeofenceRule; `place`: the name of its place.
///   - names: `{me,nameOf(user),groupName(group)}`.
export function ruleSentence(rule, place, names) {
    const { me } = names;
    const { tell } = rule;
    const values = {
        event: additions(rule).reduce((event, addition) => t("{event}, {addition}", { event, addition }),
            eventWords(rule, place, names)) + zoneOf(rule),
        name: tell.user && names.nameOf(tell.user),
        group: tell.group && names.groupName(tell.group),
    };
    if (rule.madeBy === me && rule.user !== me) {
        return tell.user === me ? t("Notify me {event}.", values)
            : tell.user ? t("Notify {name} {event}.", values) : t("Notify everyone in {group} {event}.", values);
    }
    return tell.user === me ? t("You are notified {event}.", values)
        : tell.user ? t("{name} is notified {event}.", values) : t("Everyone in {group} is notified {event}.", values);
}

/// The event, after "Notify me" or "Ben is notified".
function eventWords({ when, by, user, group }, place, { me, nameOf, groupName }) {
    const values = {
        place, name: user && nameOf(user), group: group && groupName(group), time: by && clock(by),
    };
    const [you, somebody, anybody] = EVENTS[when === "arrives" || when === "leaves" ? when : "not-there"];
    return user === me ? you(values) : user ? somebody(values) : anybody(values);
}

const EVENTS = {
    arrives: [
        (values) => t("when you arrive at {place}", values),
        (values) => t("when {name} arrives at {place}", values),
        (values) => t("when anyone in {group} arrives at {place}", values),
    ],
    leaves: [
        (values) => t("when you leave {place}", values),
        (values) => t("when {name} leaves {place}", values),
        (values) => t("when anyone in {group} leaves {place}", values),
    ],
    "not-there": [
        (values) => t("if you are not at {place} by {time}", values),
        (values) => t("if {name} is not at {place} by {time}", values),
        (values) => t("if anyone in {group} is not at {place} by {time}", values),
    ],
};

/// On which days, from when to when, how often.
function additions({ days = [], from, to, once }) {
    return [
        days.length > 0 && days.length < 7 && dayWords(days),
        from && to && t("{from} to {to}", { from: clock(from), to: clock(to) }),
        once && t("once"),
    ].filter(Boolean);
}

function zoneOf({ timeZone }) {
    return timeZone ? zoneWords(timeZone, Date.now()) : "";
}

/// "08:15" in the local clock format.
function clock(text) {
    return time(`2000-01-01T${text}`);
}

/// Who has agreed to a rule of mine; for others' rules only my answer matters.
export function consentWords({ consents = [], user, group, madeBy }, { me, nameOf }) {
    if (madeBy !== me || user === me) return "";
    if (group) {
        const agreeing = consents.filter(({ agree }) => agree === true)
            .map((consent) => nameOf(consent.user));
        return agreeing.length === 0 ? t("No one has agreed yet: no one is notified.")
            : tn(agreeing.length, "{names} agrees. You are not notified about anyone else.",
                "{names} agree. You are not notified about anyone else.", { names: together(agreeing) });
    }
    const name = nameOf(user);
    const agree = consents.find((consent) => consent.user === user)?.agree;
    if (agree === undefined) return t("{name} has not answered yet. Until then no one is notified.", { name });
    return agree ? t("{name} agrees.", { name }) : t("{name} does not agree: no one is notified.", { name });
}

/// My answer to a rule about me: true, false, null for none yet; undefined: it is not about me.
export function ownAnswer({ consents = [] }, me) {
    const own = consents.find(({ user }) => user === me);
    return own && (own.agree ?? null);
}

/// Rules about places in sentences: who is told when somebody arrives, leaves, or is not there.

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
        return tell.user === me ? t("Tell me {event}.", values)
            : tell.user ? t("Tell {name} {event}.", values) : t("Tell everybody in {group} {event}.", values);
    }
    return tell.user === me ? t("You are told {event}.", values)
        : tell.user ? t("{name} is told {event}.", values) : t("Everybody in {group} is told {event}.", values);
}

/// What happens, after "Tell me" or "Ben is told".
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
        (values) => t("when anybody in {group} arrives at {place}", values),
    ],
    leaves: [
        (values) => t("when you leave {place}", values),
        (values) => t("when {name} leaves {place}", values),
        (values) => t("when anybody in {group} leaves {place}", values),
    ],
    "not-there": [
        (values) => t("if you are not at {place} by {time}", values),
        (values) => t("if {name} is not at {place} by {time}", values),
        (values) => t("if anybody in {group} is not at {place} by {time}", values),
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

/// "08:15" as clocks are read here.
function clock(text) {
    return time(`2000-01-01T${text}`);
}

/// Who has agreed to a rule of mine; of others' rules only I matter.
export function consentWords({ consents = [], user, group, madeBy }, { me, nameOf }) {
    if (madeBy !== me || user === me) return "";
    if (group) {
        const agreeing = consents.filter(({ agree }) => agree === true)
            .map((consent) => nameOf(consent.user));
        return agreeing.length === 0 ? t("Nobody has agreed yet: nothing is told.")
            : tn(agreeing.length, "{names} agrees. You are told of nobody else.",
                "{names} agree. You are told of nobody else.", { names: together(agreeing) });
    }
    const name = nameOf(user);
    const agree = consents.find((consent) => consent.user === user)?.agree;
    if (agree === undefined) return t("{name} has not answered yet. Until then nothing is told.", { name });
    return agree ? t("{name} agrees.", { name }) : t("{name} does not agree: nothing is told.", { name });
}

/// What I have answered to a rule about me: true, false, null for nothing yet; undefined: it is not
/// about me.
export function ownAnswer({ consents = [] }, me) {
    const own = consents.find(({ user }) => user === me);
    return own && (own.agree ?? null);
}

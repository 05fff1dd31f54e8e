/// Rules about places in sentences: who is told when somebody arrives, leaves, or is not there.

import { time, together } from "../format.js";
import { dayWords } from "./repetition.js";
import { zoneWords } from "./words.js";

/// - Parameters:
///   - rule: a GeofenceRule; `place`: the name of its place.
///   - names: `{me,nameOf(user),groupName(group)}`.
export function ruleSentence(rule, place, names) {
    const { me } = names;
    const isAboutMe = rule.user === me;
    const who = isAboutMe ? "you" : rule.user ? names.nameOf(rule.user)
        : `anybody in ${names.groupName(rule.group)}`;
    const what = `${eventWords(rule, who, place, isAboutMe)}${hoursWords(rule)}`;
    const { tell } = rule;
    const when = rule.when === "not-there" ? "if" : "when";
    if (rule.madeBy === me && !isAboutMe) {
        const whom = tell.user === me ? "me"
            : tell.user ? names.nameOf(tell.user) : `everybody in ${names.groupName(tell.group)}`;
        return `Tell ${whom} ${when} ${what}.`;
    }
    const told = tell.user === me ? "You are" : tell.user ? `${names.nameOf(tell.user)} is`
        : `Everybody in ${names.groupName(tell.group)} is`;
    return `${told} told ${when} ${what}.`;
}

function eventWords({ when, by }, who, place, isAboutMe) {
    if (when === "arrives") return `${who} ${isAboutMe ? "arrive" : "arrives"} at ${place}`;
    if (when === "leaves") return `${who} ${isAboutMe ? "leave" : "leaves"} ${place}`;
    return `${who} ${isAboutMe ? "are" : "is"} not at ${place} by ${clock(by)}`;
}

function hoursWords({ days = [], from, to, timeZone, once }) {
    const parts = [];
    if (days.length > 0 && days.length < 7) parts.push(dayWords(days));
    if (from && to) parts.push(`${clock(from)} to ${clock(to)}`);
    const zone = timeZone ? zoneWords(timeZone, Date.now()) : "";
    const words = parts.map((part) => `, ${part}`).join("") + zone;
    return once ? `${words}, once` : words;
}

/// "08:15" as clocks are read here.
function clock(text) {
    return time(`2000-01-01T${text}`);
}

/// Who has agreed to a rule of mine; of others' rules only I matter.
export function consentWords({ consents = [], user, group, madeBy }, { me, nameOf }) {
    if (madeBy !== me || user === me) return "";
    const of = (answer) => together(consents.filter(({ agree }) => agree === answer)
        .map((consent) => nameOf(consent.user)));
    if (group) {
        const agreeing = of(true);
        return agreeing ? `${agreeing} ${agreeing.includes(" and ") ? "agree" : "agrees"}. `
            + "You are told of nobody else." : "Nobody has agreed yet: nothing is told.";
    }
    const name = nameOf(user);
    const agree = consents.find((consent) => consent.user === user)?.agree;
    if (agree === undefined) return `${name} has not answered yet. Until then nothing is told.`;
    return agree ? `${name} agrees.` : `${name} does not agree: nothing is told.`;
}

/// What I have answered to a rule about me: true, false, null for nothing yet; undefined: it is not
/// about me.
export function ownAnswer({ consents = [] }, me) {
    const own = consents.find(({ user }) => user === me);
    return own && (own.agree ?? null);
}

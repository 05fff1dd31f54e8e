/// Texts about my SOS before, during and after it, which claim no more than is known.

import { isolate } from "../bidi.js";
import { serverNow } from "../clock.js";
import { age, moment, number, together } from "../format.js";
import { t } from "../language.js";
import { warned } from "./accuracy.js";
import { within } from "./reach.js";

/// More people than this are not named individually.
const NAMED = 3;
/// A position younger than this counts as the current one when the call is sent.
const FRESH_MS = 60_000;
/// A position up to this age counts as current in an SOS.
const CURRENT_MS = 2 * 60_000;
const WAYS = { push: t("push"), mail: t("email"), webhook: t("webhook") };

export const wayWords = (by) => WAYS[by] ?? by;

/// Before it is sent: lines `{text,kind?}`; `kind`: `warning` for problems.
///
/// - `fix`: this device's newest, or null; `device`: the state of `geolocation`.
export function beforeWords(reach, { fix, device, now = Date.now() }) {
    if (isAlone(reach)) {
        return [warning(t("There is no one else in your groups: no one will be alerted.")), byPhone()];
    }
    if (!reach.isLive) {
        return [
            warning(t("No connection. Your SOS will be sent as soon as there is one.")), byPhone(),
        ];
    }
    return [
        { text: reach.groups.length
            ? t("Your SOS goes to {groups}.", { groups: namesOf(reach.groups) })
            : t("Your SOS goes to your groups.") },
        ...reachWords(reach), positionWords(fix, device, now),
    ];
}

/// Once the service has it, and no one has answered.
export function sentWords(reach) {
    if (reach.isLive && isAlone(reach)) {
        return [warning(t("There is no one else in your groups: no one was alerted.")), byPhone()];
    }
    const sent = { text: reach.groups.length
        ? t("Sent to {groups}.", { groups: namesOf(reach.groups) }) : t("Sent to your groups.") };
    if (!reach.isLive) return [sent];
    return [
        sent, ...reachWords(reach), { text: t("No one has answered yet.") },
    ];
}

/// What my groups know of where I am, during it.
///
/// - `fix`: the one the service shows them.
export function seenWords({ fix, device, refusal, now = serverNow() }) {
    if (refusal) return t("Your position was rejected: {reason}", { reason: refusal });
    if (fix && now - Date.parse(fix.timestamp) < CURRENT_MS) {
        return warned(t("They can see where you are, updated {age}.", { age: age(fix.timestamp, now) }), fix);
    }
    const isRefused = device === "refused";
    if (!fix) {
        return isRefused
            ? t("They can't see where you are: this page is not allowed to use your location.")
            : t("They can't see where you are: no position from you has arrived.");
    }
    const seen = warned(t("They can see where you were {age}.", { age: age(fix.timestamp, now) }), fix);
    return isRefused ? `${seen} ${t("This site isn't allowed to use your location.")}` : seen;
}

/// What follows once it is over: sentences.
///
/// - `goesOn`: whether a journey resumes; `stopsSending`: whether this device sends only for the SOS.
export function afterWords(after, { isLive, goesOn, stopsSending }) {
    const told = isLive ? t("Your groups will be notified that your SOS is over.")
        : t("No connection. Your groups will be notified that your SOS is over as soon as there is "
            + "one.");
    const parts = after.map(({ until, names }) => {
        const groups = namesOf(names);
        if (until === "nothing") {
            return t("After that {groups} cannot see where you are.", { groups });
        }
        if (until === "never") {
            return t("After that {groups} can see your last position, and nothing newer.",
                { groups });
        }
        return until
            ? t("After that you share your location with {groups} until {time}.",
                { groups, time: moment(until) })
            : t("After that you share your location with {groups} until you stop.", { groups });
    });
    return [
        told, goesOn ? t("The journey continues.") : "", ...parts,
        stopsSending ? t("This device stops sending your position.") : "",
    ].filter(Boolean).join(" ");
}

// MARK: Parts

function reachWords(reach) {
    const { others, isKnown } = reach;
    const near = within(reach);
    const [all, count] = [others.length, near.length];
    if (count === 0) return [warning(farWords(others, isKnown)), byPhone()];
    if (all > NAMED) {
        return [{ text: t("Reachable now: {count} of {all} people.",
            { count: number(count), all: number(all) }) }];
    }
    const far = others.slice(count);
    const lines = [{ text: t("Reachable now: {names}.", { names: together(near.map(nearName)) }) }];
    if (far.length > 0) {
        lines.push({ text: t("Not known to be reachable: {names}.",
            { names: together(far.map(({ name }) => isolate(name))) }) });
    }
    return lines;
}

function farWords(others, isKnown) {
    if (!isKnown || others.some(({ way }) => way === "unknown")) {
        return t("It is not known who is reachable now.");
    }
    return others.some(({ way }) => way === "untried")
        ? t("No one there has Kith open, and no other way to reach them is known to work.")
        : t("No one there has Kith open, and there is no other way to reach them.");
}

function nearName({ name, way, by }) {
    return t("{name} ({way})", {
        name: isolate(name), way: way === "here" ? t("connected") : together(by.map(wayWords)),
    });
}

function positionWords(fix, device, now) {
    if (fix) {
        const words = now - Date.parse(fix.timestamp) < FRESH_MS ? t("Your position is sent with it.")
            : t("Your position from {age} is sent with it.", { age: age(fix.timestamp, now) });
        return { text: warned(words, fix) };
    }
    return device === "refused" || device === "unavailable"
        ? warning(t("Your position is not sent with it: this page is not allowed to use your "
            + "location."))
        : { text: t("Your position is not known yet. It will be sent as soon as it is.") };
}

const isAlone = ({ isKnown, others }) => isKnown && others.length === 0;
const byPhone = () => warning(t("Also call for help by phone."));
const namesOf = (groups) => together(groups.map((name) => isolate(name)));

function warning(text) {
    return { text, kind: "warning" };
}

/// States who in a group can see me, claiming no more than the server and this device know.

import { isolate } from "./bidi.js";
import { age, moment, together } from "./format.js";
import { farWords } from "./known/accuracy.js";
import { t, tn } from "./language.js";

/// A stored position up to this age counts as current.
const FRESH_MS = 5 * 60_000;
/// More people than this are not named individually.
const NAMED = 3;

/// - `isOn`: whether the server shows the group where I am; null: not known yet.
/// - `others`: the names of the other members; null: not known yet.
/// - `fix`: the position that the group has from the server, or null; `isRough`: it sees an area.
/// - `device`: the state of `geolocation`; `unsent`: how many positions wait in this browser.
///
/// Returns `{tone,text,more,isRefused?}`, `tone`: `good`, `warning` or `plain`; `more`: another
/// sentence; `isRefused`: whether it says that the browser denies the location.
export function sharingWords({
    isOn, isLive, group, others, fix, isRough = false, device, unsent = 0, now,
}) {
    const name = isolate(group);
    if (isOn === null) return plain(t("It is not known yet who can see you."));
    if (!isLive) {
        return warning(isOn
            ? t("No connection: who can see you is not known at the moment. Before that, "
                + "{group} could see you.", { group: name })
            : t("No connection: who can see you is not known at the moment. Before that, "
                + "{group} could not see you.", { group: name }));
    }
    if (others === null) return plain(t("It is not known yet who is in {group}.", { group: name }));
    if (others.length === 0) {
        const alone = t("No one else is in {group} yet.", { group: name });
        if (isOn && device === "refused") return refused(alone);
        return plain(isOn ? t("Sharing is on, but no one else is in {group} yet.", { group: name })
            : alone);
    }
    const names = namesOf(others, name);
    const count = others.length;
    const last = fix ? tn(count, "{names} can see your last position, from {time}.",
        "{names} can see your last position, from {time}.",
        { names, time: moment(fix.timestamp, now) }) : "";
    if (!isOn) {
        return plain(fix
            ? tn(count, "{names} can see your last position, from {time}, and nothing newer.",
                "{names} can see your last position, from {time}, and nothing newer.",
                { names, time: moment(fix.timestamp, now) })
            : t("No one in {group} can see where you are.", { group: name }));
    }
    if (device === "refused") return refused(last);
    if (fix && now - Date.parse(fix.timestamp) < FRESH_MS) {
        const when = age(fix.timestamp, now);
        const far = farWords(fix);
        return {
            tone: far ? "warning" : "good",
            more: far,
            text: isRough
                ? tn(count, "{names} can see roughly where you are, updated {age}.",
                    "{names} can see roughly where you are, updated {age}.", { names, age: when })
                : tn(count, "{names} can see you, updated {age}.",
                    "{names} can see you, updated {age}.", { names, age: when }),
        };
    }
    return withoutFix(device, unsent, last);
}

function refused(more) {
    return {
        ...warning(t("Sharing is on, but this site isn't allowed to use your location."), more),
        isRefused: true,
    };
}

/// Sharing is on, and the server has no current position.
function withoutFix(device, unsent, last) {
    if (device === "no-signal") {
        return warning(t("Sharing is on, but your device can't find a position."), last);
    }
    if (device === "unavailable") {
        return warning(t("Sharing is on, but this page needs HTTPS to use your location."), last);
    }
    if (device === "sending" && unsent > 0) {
        return warning(t("Sharing is on, but your position has not reached the server yet."), last);
    }
    if (["waiting", "sending"].includes(device)) {
        return plain(t("Sharing is on. Waiting for your position…"), last);
    }
    return warning(t("Sharing is on, but no device is sending your position."), last);
}

/// "Omar", "Omar and Ben", "Everyone in Family".
function namesOf(others, group) {
    if (others.length > NAMED) return t("Everyone in {group}", { group });
    return together(others.map((name) => isolate(name)));
}

function plain(text, more = "") {
    return { tone: "plain", text, more };
}

function warning(text, more = "") {
    return { tone: "warning", text, more };
}

/// Programs that see the group, in words; empty if there are none.
///
/// - `group`: its name; `programs`: their names.
export function programWords(group, programs) {
    if (programs.length === 0) return "";
    return tn(programs.length, "{names}, a program, sees what {group} sees.",
        "{names}, programs, see what {group} sees.",
        { names: together(programs.map((name) => isolate(name))), group: isolate(group) });
}

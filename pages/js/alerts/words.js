/// Alerts in words, made from their kind and fields, in the reader's language and time zone.

import { duration, localTimes, moment } from "../format.js";
import { t } from "../language.js";

/// A position younger than this, in seconds, counts as current.
const FRESH_S = 120;
/// Kinds that may make a member go there: they state how reliable the position is.
const ABOUT_A_PLACE = ["late", "offline", "silent", "sos", "sos-left", "in-need", "unanswered"];

/// Each takes `{name,place?,time?,number?}`; `place` and `time` are those of the journey.
const words = {
    "journey-started": (of) => (!of.hasPlace ? t("{name} will check in by {time}.", of)
        : of.place ? t("{name} is on the way to {place} and expects to arrive by {time}.", of)
        : t("{name} is on the way and expects to arrive by {time}.", of)),
    "journey-stopped": (of) => (!of.hasPlace ? t("{name} has ended the check-in.", of)
        : of.place ? t("{name} has stopped the journey to {place}.", of)
        : t("{name} has stopped the journey.", of)),
    "journey-arrived": (of) => (of.place ? t("{name} has arrived at {place}.", of)
        : t("{name} has arrived.", of)),
    "late": (of) => (!of.hasPlace ? t("{name} has not checked in by {time}.", of)
        : of.place ? t("{name} has not arrived at {place} by {time}.", of)
        : t("{name} has not arrived by {time}.", of)),
    "stuck": (of) => t("{name} has not moved for a while.", of),
    "moving": (of) => t("{name} is moving again.", of),
    "offline": (of) => t("{name} has gone offline.", of),
    "online": (of) => t("{name} is back online.", of),
    "silent": (of) => t("{name} is connected, but no position has been received for a while.", of),
    "sos": (of) => t("{name} has sent an SOS and needs help.", of),
    "sos-stopped": (of) => t("{name} has ended the SOS.", of),
    "sos-left": (of) => t("{name} has left the group during an SOS, which is still active.", of),
    "sos-account-deleted": () => t("The account of a person in an SOS was deleted. No one has "
        + "confirmed that they are safe."),
    "in-need": (of) => t("{name} may need medical help, according to their vital signs.", of),
    "unanswered": (of) => (of.number
        ? t("Dispatch has not confirmed help for {name} yet. Please call {number} yourself.", of)
        : t("Dispatch has not confirmed help for {name} yet. Please call for help yourself.", of)),
    "assisted": (of) => t("Dispatch has answered the call for {name}.", of),
    "vitals-silent": (of) => t("No vital signs from {name} for a while.", of),
    "vitals-back": (of) => t("Vital signs from {name} are being received again.", of),
};
/// The kinds whose words need the journey, which early services sent only in `text`.
const ABOUT_A_JOURNEY = ["journey-started", "journey-stopped", "journey-arrived", "late"];

/// What has happened, in a sentence; the service's own text for an unknown kind.
export function alertWords(alert) {
    const { kind, journey } = alert;
    const isTold = Object.hasOwn(words, kind) && (journey || !ABOUT_A_JOURNEY.includes(kind));
    if (!isTold) return localTimes(alert.text, alert.at);
    return words[kind]({
        name: alert.name, number: alert.number, hasPlace: Boolean(journey?.destination),
        place: journey?.destination?.name, time: journey?.eta ? moment(journey.eta) : "",
    });
}

/// Additional facts, one sentence each.
export function alertNotes(alert) {
    const notes = [];
    if (alert.journeyWaits) notes.push(t("The journey resumes when the SOS is over."));
    if (alert.kind === "sos-stopped" && alert.journey) notes.push(t("The journey continues."));
    if (alert.clockWrong) {
        notes.push(t("A clock is wrong, so the call shows the time it arrived."));
    }
    const isTold = Object.hasOwn(words, alert.kind)
        && (alert.journey || !ABOUT_A_JOURNEY.includes(alert.kind));
    if (!isTold || !ABOUT_A_PLACE.includes(alert.kind)) return notes;
    if (!alert.fix) notes.push(t("No position is known."));
    else if (alert.fixAge >= FRESH_S) {
        notes.push(t("The last position is {age} old.", { age: duration(alert.fixAge * 1000) }));
    }
    return notes;
}

/// The words for reminders, and their validation.

import { LIMITS } from "../contract.js";
import { distance, fieldTimeIn, moment, number } from "../format.js";
import { t } from "../language.js";
import { repetitionWords } from "./repetition.js";
import { zoneCity, zoneWords } from "./words.js";

/// In metres.
export const USUAL_RADIUS = 200;
const RADIUS = LIMITS.reminderRadius;

/// When it is due: "When I am within 200 m, every day".
export function whenWords({ when, radius, at, rrule, next, timeZone }) {
    const again = repetitionWords(rrule, at);
    const parts = [];
    if (when === "opens") parts.push(t("When it opens"));
    else if (when === "near") parts.push(t("When I am within {distance}", { distance: distance(radius) }));
    else if (next) parts.push(moment(next) + zoneTime(timeZone, next));
    if (again) parts.push(again);
    const words = parts.join(", ");
    return words && words[0].toUpperCase() + words.slice(1);
}

/// Also the local time there, if clocks differ.
function zoneTime(timeZone, at) {
    if (!zoneWords(timeZone, at)) return "";
    const values = { time: fieldTimeIn(timeZone, at).slice(11), city: zoneCity(timeZone) };
    return ` ${t("({time} in {city})", values)}`;
}

/// - Parameters:
///   - values: of the form; `now`: the time there, as in `at`.
///   - old: the reminder as it was; nothing for a new one.
/// - Returns: `[{field,reason}]`, for all missing or impossible values.
export function complaints(values, now, old) {
    const errors = [];
    const refuse = (field, reason) => errors.push({ field, reason });
    if (!values.text.trim()) refuse("text", t("Enter what you want to be reminded of"));
    const isChanged = values.at !== old?.at.slice(0, 16);
    if (values.when === "time" && !values.at) {
        refuse("at", t("Choose a day and a time"));
    } else if (values.when === "time" && isChanged && values.repeat === "never" && values.at <= now) {
        refuse("at", t("Choose a time in the future"));
    }
    const radius = Number(values.radius);
    if (values.when === "near" && !values.radius) {
        refuse("radius", t("Enter a distance in metres"));
    } else if (values.when === "near" && !(radius >= RADIUS[0] && radius <= RADIUS[1])) {
        refuse("radius", t("Between {from} and {to} metres", { from: number(RADIUS[0]), to: number(RADIUS[1]) }));
    }
    if (values.repeat === "weekly" && values.days.length === 0) {
        refuse("rrule", t("Choose at least one day of the week"));
    }
    return errors;
}

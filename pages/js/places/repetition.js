/// How often a reminder repeats: a few choices, and the RFC 5545 rules they stand for.

import { dayOfYear, number, together } from "../format.js";
import { language, t } from "../language.js";
import { DAY_MS } from "../units.js";

export const WEEKDAYS = [
    ["MO", t("Monday")], ["TU", t("Tuesday")], ["WE", t("Wednesday")], ["TH", t("Thursday")],
    ["FR", t("Friday")], ["SA", t("Saturday")], ["SU", t("Sunday")],
];
const CODES = WEEKDAYS.map(([code]) => code);

/// - Parameter at: of the reminder, by the clocks there: `2026-12-24T18:00`.
/// - Returns: `{repeat,days}`; `repeat`: `never`, `daily`, `weekly`, `monthly`, `yearly`, or
///   `other` for a rule outside these choices.
export function readRepetition(rrule, at) {
    if (!rrule) return { repeat: "never", days: [] };
    const parts = new Map(rrule.toUpperCase().split(";").map((part) => part.split("=")));
    const frequency = parts.get("FREQ");
    parts.delete("FREQ");
    if (parts.get("INTERVAL") === "1") parts.delete("INTERVAL");
    const names = [...parts.keys()].join();
    const [, month, day] = (at ?? "").slice(0, 10).split("-").map(Number);
    const isOn = (part, value) => parts.get(part) === String(value);
    if (frequency === "DAILY" && names === "") return { repeat: "daily", days: [] };
    if (frequency === "WEEKLY" && names === "") return { repeat: "weekly", days: [weekdayOf(at)] };
    if (frequency === "WEEKLY" && names === "BYDAY") {
        const days = parts.get("BYDAY").split(",");
        if (days.every((code) => CODES.includes(code))) return { repeat: "weekly", days };
    }
    if (frequency === "MONTHLY" && (names === "" || (names === "BYMONTHDAY" && isOn(names, day)))) {
        return { repeat: "monthly", days: [] };
    }
    const isThatDay = ["BYMONTH,BYMONTHDAY", "BYMONTHDAY,BYMONTH"].includes(names)
        && isOn("BYMONTH", month) && isOn("BYMONTHDAY", day);
    if (frequency === "YEARLY" && (names === "" || isThatDay)) return { repeat: "yearly", days: [] };
    return { repeat: "other", days: [] };
}

/// The rule of a choice; null for `never`.
export function makeRule(repeat, days) {
    if (repeat === "never") return null;
    if (repeat !== "weekly") return `FREQ=${repeat.toUpperCase()}`;
    return `FREQ=WEEKLY;BYDAY=${CODES.filter((code) => days.includes(code)).join()}`;
}

/// "every week on Monday and Thursday"; a rule outside the choices is shown as written.
export function repetitionWords(rrule, at) {
    const { repeat, days } = readRepetition(rrule, at);
    switch (repeat) {
    case "never": return "";
    case "daily": return t("every day");
    case "weekly": return t("every week on {days}", { days: dayWords(days) });
    case "monthly": return t("every month on day {day}", { day: number(Number(at.slice(8, 10))) });
    case "yearly": return t("every year on {day}", { day: dayOfYear(`${at.slice(0, 10)}T12:00`) });
    default: return t("by the rule {rrule}", { rrule });
    }
}

/// "Monday to Friday", "Saturday and Sunday".
///
/// - Parameter days: `MO`, …, in any case.
export function dayWords(days) {
    const chosen = CODES.map((code, place) => [code, place])
        .filter(([code]) => days.some((day) => day.toUpperCase() === code)).map(([, place]) => place);
    const isRun = chosen.length > 2 && chosen.at(-1) - chosen[0] === chosen.length - 1;
    if (isRun) {
        return t("{from} to {to}", { from: WEEKDAYS[chosen[0]][1], to: WEEKDAYS[chosen.at(-1)][1] });
    }
    return together(chosen.map((place) => WEEKDAYS[place][1]));
}

/// Short enough for a checkbox: "Mo".
export function shortWeekday(code) {
    if (language === "en") return WEEKDAYS[CODES.indexOf(code)][1].slice(0, 2);
    // A Monday, and the days after it.
    return new Intl.DateTimeFormat(language, { weekday: "short", timeZone: "UTC" })
        .format(Date.UTC(2026, 10, 23 + CODES.indexOf(code)));
}

/// The day of the week, `MO`, of a time by the clocks there.
export function weekdayOf(at) {
    return CODES[(new Date(`${at.slice(0, 10)}T00:00Z`).getUTCDay() + 6) % 7];
}

/// The same time on the first of these days: a rule counts its start, whatever day that is.
export function startOn(at, days) {
    for (let later = 0; later < 7; later += 1) {
        const day = new Date(Date.parse(`${at.slice(0, 10)}T00:00Z`) + later * DAY_MS);
        const moved = day.toISOString().slice(0, 10) + at.slice(10);
        if (days.includes(weekdayOf(moved))) return moved;
    }
    return at;
}

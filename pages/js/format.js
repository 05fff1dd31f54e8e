/// Formats numbers, times and units in the page's language, by the visitor's regional conventions.

import { serverNow } from "./clock.js";
import { language, t, tn } from "./language.js";
import { DAY_MS, METRES_PER_MILE } from "./units.js";

const wanted = navigator.languages?.length ? [...navigator.languages] : [navigator.language];
const MILES = ["US", "GB", "LR", "MM"];
const METRES_PER_FOOT = 0.3048;
const MINUTE_MS = 60_000;

const region = regionOf(wanted[0]);
const locales = localesFor(language);
export const usesMiles = MILES.includes(region);

const clock = new Intl.DateTimeFormat(locales, { hour: "numeric", minute: "2-digit" });
const weekday = new Intl.DateTimeFormat(locales, {
    weekday: "short", hour: "numeric", minute: "2-digit",
});
const dates = new Intl.DateTimeFormat(locales, { dateStyle: "medium" });
const dated = new Intl.DateTimeFormat(locales, { dateStyle: "medium", timeStyle: "short" });
const days = new Intl.DateTimeFormat(locales, { weekday: "long", day: "numeric", month: "long" });
const daysWithYear = new Intl.DateTimeFormat(locales, { dateStyle: "full" });
const daysOfYear = new Intl.DateTimeFormat(locales, { day: "numeric", month: "long" });
const percents = new Intl.NumberFormat(locales, { style: "percent", maximumFractionDigits: 0 });
const counts = new Intl.NumberFormat(locales);

/// "14:05".
export function time(at) {
    return clock.format(new Date(at));
}

/// The time, with its day unless that is today.
export function moment(at, now = serverNow()) {
    const date = new Date(at);
    if (sameDay(date, new Date(now))) return clock.format(date);
    return Math.abs(now - date) < 6 * DAY_MS ? weekday.format(date) : dated.format(date);
}

/// The same in a time zone.
export function momentIn(timeZone, at, now = serverNow()) {
    const zone = formatsOf(timeZone);
    if (!zone) return moment(at, now);
    const date = new Date(at);
    if (zone.day.format(date) === zone.day.format(now)) return zone.clock.format(date);
    return Math.abs(now - date) < 6 * DAY_MS ? zone.weekday.format(date) : zone.dated.format(date);
}

/// Whether that time zone's clocks differ from this device's at that time.
export function clocksDiffer(timeZone, at) {
    const [there, here] = [formatsOf(timeZone), formatsOf()];
    if (!there) return false;
    return there.wire.format(new Date(at)) !== here.wire.format(new Date(at));
}

/// A value for a date and time field: the time in a time zone, to the minute.
export function fieldTimeIn(timeZone, at) {
    return formatsOf(timeZone)?.wire.format(new Date(at)).replace(" ", "T") ?? fieldTime(at);
}

const zones = new Map();

/// Null for a zone this browser does not know; without a name, this device's zone.
function formatsOf(timeZone) {
    if (!zones.has(timeZone)) {
        try {
            const make = (options, of = locales) => new Intl.DateTimeFormat(of, { ...options, timeZone });
            zones.set(timeZone, {
                clock: make({ hour: "numeric", minute: "2-digit" }),
                weekday: make({ weekday: "short", hour: "numeric", minute: "2-digit" }),
                dated: make({ dateStyle: "medium", timeStyle: "short" }),
                day: make({ dateStyle: "short" }),
                // As in "2026-12-24 18:00".
                wire: make({ dateStyle: "short", timeStyle: "short" }, "sv-SE"),
            });
        } catch {
            zones.set(timeZone, null);
        }
    }
    return zones.get(timeZone);
}

export function dateTime(at) {
    return dated.format(new Date(at));
}

/// The day with its year: "12 Sep 2026".
export function date(at) {
    return dates.format(new Date(at));
}

/// "24 December".
export function dayOfYear(at) {
    return daysOfYear.format(new Date(at));
}

/// A value for a date and time field: in local time, to the minute.
export function fieldTime(at) {
    const date = new Date(at);
    const shifted = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
    return shifted.toISOString().slice(0, 16);
}

/// "Today", "Yesterday", or the day by name.
export function day(at, now = serverNow()) {
    const date = new Date(at);
    if (sameDay(date, new Date(now))) return t("Today");
    if (sameDay(date, new Date(now - DAY_MS))) return t("Yesterday");
    const isThisYear = date.getFullYear() === new Date(now).getFullYear();
    return (isThisYear ? days : daysWithYear).format(date);
}

export function sameDay(a, b) {
    return new Date(a).toDateString() === new Date(b).toDateString();
}

/// "just now", "2 min ago", "3 h ago", and so on.
export function age(at, now = serverNow()) {
    const passed = now - new Date(at);
    if (passed < 10_000) return t("just now");
    const days = Math.floor(passed / DAY_MS);
    if (days > 0) return tight(tn(days, "1 day ago", "{count} days ago"));
    const rounded = passed < MINUTE_MS ? Math.floor(passed / 10_000) * 10_000 : passed;
    return t("{duration} ago", { duration: duration(rounded) });
}

/// "40 s", "2 min", "1 h 5 min", "3 days": rounded down, never negative.
export function duration(milliseconds) {
    const seconds = Math.max(0, Math.floor(milliseconds / 1000));
    if (seconds < 60) return tight(t("{count} s", { count: counts.format(seconds) }));
    const minutes = Math.floor(seconds / 60);
    if (minutes < 60) return minutesWords(minutes);
    const hours = Math.floor(minutes / 60);
    const words = tight(t("{count} h", { count: counts.format(hours) }));
    const rest = minutes % 60;
    if (hours < 24) return rest && hours < 6 ? `${words} ${minutesWords(rest)}` : words;
    return tight(tn(Math.floor(hours / 24), "1 day", "{count} days"));
}

function minutesWords(minutes) {
    return tight(t("{count} min", { count: counts.format(minutes) }));
}

/// A number stays with its unit.
function tight(words) {
    return words.replaceAll(" ", "\u00a0");
}

/// Metres as "840 m" and "1.2 km", or feet and miles in regions that use them.
export function distance(metres) {
    if (metres === null || metres === undefined) return "";
    if (usesMiles) {
        const miles = metres / METRES_PER_MILE;
        if (miles < 0.1) return unit(Math.round(metres / METRES_PER_FOOT), "foot");
        return unit(miles, "mile", miles < 10 ? 1 : 0);
    }
    if (metres < 1000) return unit(Math.round(metres), "meter");
    return unit(metres / 1000, "kilometer", metres < 10_000 ? 1 : 0);
}

/// Metres per second as km/h or mph.
export function speed(metresPerSecond) {
    if (usesMiles) return unit(metresPerSecond * 3600 / METRES_PER_MILE, "mile-per-hour");
    return unit(metresPerSecond * 3.6, "kilometer-per-hour");
}

/// Formats a value from 0 to 100.
export function percent(value) {
    return percents.format(value / 100);
}

export function number(value) {
    return counts.format(value);
}

/// "46.05110° N, 14.51000° E".
export function coordinates({ latitude, longitude }, digits = 5) {
    return `${degrees(latitude, t("N"), t("S"), digits)}, ${degrees(longitude, t("E"), t("W"), digits)}`;
}

export function degrees(value, positive, negative, digits) {
    const text = new Intl.NumberFormat(locales, {
        minimumFractionDigits: digits, maximumFractionDigits: digits,
    }).format(Math.abs(value));
    if (Number(Math.abs(value).toFixed(digits)) === 0) return `${text}°`;
    return `${text}° ${value < 0 ? negative : positive}`;
}

/// A bearing in words: "north-east".
export function bearing(value) {
    const names = [
        t("north"), t("north-east"), t("east"), t("south-east"),
        t("south"), t("south-west"), t("west"), t("north-west"),
    ];
    return names[Math.round((((value % 360) + 360) % 360) / 45) % 8];
}

/// "a", "a and b", "a, b and c".
export function together(words) {
    // No comma before "and".
    return new Intl.ListFormat(language === "en" ? "en-GB" : language, { type: "conjunction" })
        .format(words);
}

/// A sentence of the service, with its UTC times converted to local time.
///
/// - Parameter at: when it was written; a time without a day is within half a day of that.
export function localTimes(text, at) {
    const said = new Date(at);
    return (text ?? "").replace(
        /\b(?:(\d{4}-\d{2}-\d{2}) )?(\d{2}:\d{2}) UTC\b/g,
        (whole, date, clockTime) => {
            const day = date ?? said.toISOString().slice(0, 10);
            let meant = new Date(`${day}T${clockTime}:00Z`);
            if (Number.isNaN(meant.getTime())) return whole;
            if (!date && meant - said > DAY_MS / 2) meant = new Date(meant - DAY_MS);
            if (!date && said - meant > DAY_MS / 2) meant = new Date(+meant + DAY_MS);
            return moment(meant);
        });
}

function unit(value, name, digits = 0) {
    return new Intl.NumberFormat(locales, {
        style: "unit", unit: name, unitDisplay: "short", maximumFractionDigits: digits,
    }).format(value);
}

/// The browser's locales in this language, or the language with the region.
function localesFor(code) {
    const own = wanted.filter((tag) => tag?.split("-")[0] === code);
    return own.length > 0 ? own : [region ? `${code}-${region}` : code];
}

function regionOf(tag) {
    try {
        const locale = new Intl.Locale(tag);
        return locale.region ?? locale.maximize().region;
    } catch {
        return undefined;
    }
}

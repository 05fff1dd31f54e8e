/// The words for runs and runners.

import { dateTime, duration, usesMiles } from "../format.js";
import { t, tn } from "../language.js";
import { DAY_MS, METRES_PER_MILE } from "../units.js";

export const STATUS = {
    announced: t("Not started yet"), on: t("On now"), over: t("Over"), cancelled: t("Will not take place"),
};

const RUNNER = {
    waiting: t("not started"), hidden: t("not shown now"), "did-not-start": t("did not start"),
    "did-not-finish": t("did not finish"),
};

/// A runner's status: a word, a time, or nothing while they run.
export function runnerWord({ status, time, missed }) {
    if (missed) return tn(missed, "missed 1 checkpoint", "missed {count} checkpoints");
    return status === "finished" ? clockTime(time) : RUNNER[status] ?? "";
}

/// For finishers: the time not used for the ranking; empty if both are the same.
export function otherTimeWord({ time, ownTime, gunTime }) {
    if (time === undefined || ownTime === gunTime) return "";
    return time === ownTime ? t("{time} from the gun", { time: clockTime(gunTime) })
        : t("{time} from the start line", { time: clockTime(ownTime) });
}

/// The time by which finishers are ranked.
export const rankingWord = ({ rankedBy }) => (rankedBy === "gun"
    ? t("ranked by the time from the gun") : t("ranked by the time from the start line"));

/// "1:02:03", from seconds.
export function clockTime(seconds) {
    const whole = Math.max(0, Math.floor(seconds));
    const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
    if (parts[0] === 0) parts.shift();
    return parts.map((part, index) => (index ? String(part).padStart(2, "0") : part)).join(":");
}

/// "5:03 /km" or "8:08 /mi", from seconds per kilometre.
export function paceWord(pace) {
    if (!pace) return "";
    return usesMiles ? `${clockTime(pace * METRES_PER_MILE / 1000)} /mi` : `${clockTime(pace)} /km`;
}

export const runnerName = ({ bib, name }) => (name ? `${name} (${bib})` : t("Number {bib}", { bib }));

/// When it starts, or for how long it has been on.
export function whenWord(run, now) {
    const start = Date.parse(run.startsAt);
    if (run.status === "announced") {
        return start - now < DAY_MS
            ? t("Starts in {duration}, {time}", { duration: duration(start - now), time: dateTime(start) })
            : t("Starts {time}", { time: dateTime(start) });
    }
    if (run.status === "on") return t("On for {duration}", { duration: duration(now - start) });
    return t("Started {time}", { time: dateTime(start) });
}

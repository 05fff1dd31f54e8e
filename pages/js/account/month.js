/// My month, day by day: how far I went, my heart rate, how long I slept.

import { barChart } from "../chart.js";
import { serverNow } from "../clock.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { distance, duration } from "../format.js";
import { t, tn } from "../language.js";
import { distanceOf, inOrder, leading, meanRate, sleepOf } from "./day-facts.js";
import { readOwnData } from "./own-data.js";

/// Seconds between two positions.
const EVERY_S = 60;

export function makeMonth(app) {
    const now = new Date(serverNow());
    const thisMonth = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}`;
    const month = h("input", { id: "month", type: "month", value: thisMonth, max: thisMonth });
    const show = h("button", { type: "button", class: "button", onclick: () => load() }, t("Show"));
    const facts = h("p", { role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const charts = h("div");
    const element = h("details", { class: "card" },
        h("summary", null, t("My month")),
        h("div", { class: "row" }, h("label", { for: "month" }, t("Month")), month, show),
        facts, error, charts);

    async function load() {
        const [year, number] = month.value.split("-").map(Number);
        if (!year || !number) return write(error, t("Choose a month."));
        show.disabled = true;
        write(error, "");
        const days = Array.from({ length: new Date(year, number, 0).getDate() }, (_, index) => ({
            start: new Date(year, number - 1, index + 1).getTime(),
            end: new Date(year, number - 1, index + 2).getTime(),
            metres: null, rate: null, asleep: null,
        })).filter(({ start }) => start < serverNow());
        try {
            for (const [index, day] of days.entries()) {
                write(facts, t("Loading day {day} of {days}…", { day: index + 1, days: days.length }));
                const { positions, vitals } = await readOwnData(app, day.start, day.end, EVERY_S);
                const points = leading(inOrder(positions));
                if (points.length > 0) day.metres = distanceOf(points);
                day.rate = meanRate(vitals, day.start, day.end);
                const asleep = sleepOf(vitals, day.start, day.end);
                if (asleep.length > 0) day.asleep = asleep.reduce((sum, { from, to }) => sum + to - from, 0);
                draw(days);
            }
            sum(days);
        } catch (problem) {
            write(facts, "");
            write(error, problemText(problem));
        } finally {
            show.disabled = false;
        }
    }

    function sum(days) {
        const moved = days.filter(({ metres }) => metres !== null);
        write(facts, moved.length === 0 ? t("No positions are stored for that month.")
            : tn(moved.length, "About {distance} on one day with positions.",
                "About {distance} on {count} days with positions.",
                { distance: distance(moved.reduce((all, { metres }) => all + metres, 0)) }));
    }

    function draw(days) {
        const chart = (title, note, value, words) => {
            const most = words(days.reduce((most, day) => (value(day) > value(most) ? day : most)));
            const bars = days.map((day, index) => ({
                label: `${index + 1}`, value: value(day), words: words(day),
            }));
            return bars.every((bar) => bar.value === null) ? null
                : barChart({
                    title, bars, ends: ["1", `${days.length}`],
                    note: [note, t("maximum {most}", { most })].filter(Boolean).join(" · "),
                });
        };
        replace(charts, [
            chart(t("Distance"), "", ({ metres }) => metres,
                ({ metres }) => (metres === null ? "" : distance(metres))),
            chart(t("Heart rate"), t("daily mean, beats per minute"),
                ({ rate }) => rate, ({ rate }) => `${rate}`),
            chart(t("Sleep"), t("according to your devices"), ({ asleep }) => asleep,
                ({ asleep }) => (asleep === null ? "" : duration(asleep))),
        ].filter(Boolean));
    }

    return { element };
}

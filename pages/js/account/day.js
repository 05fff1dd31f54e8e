/// My day: where I was, how far I went, where I stayed, and my heart rate.

import * as L from "/leaflet/leaflet.esm.js";
import { barChart } from "../chart.js";
import { serverNow } from "../clock.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { distance, duration, time } from "../format.js";
import { t, tx } from "../language.js";
import { makeMap } from "../map/base.js";
import {
    distanceOf, inOrder, leading, positionAt, ratesByHour, sleepOf, staysOf,
} from "./day-facts.js";
import { readOwnData } from "./own-data.js";
import { HOUR_MS } from "../units.js";

/// Seconds between the positions read.
const EVERY_S = 15;

export function makeDay(app) {
    const today = new Date(serverNow());
    const date = h("input", {
        id: "day-date", type: "date", value: localDate(today), max: localDate(today),
    });
    const show = h("button", { type: "button", class: "button", onclick: () => load() }, t("Show"));
    const facts = h("p", { role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const area = h("div", { class: "day-map", hidden: true });
    const slider = h("input", { id: "day-time", type: "range", step: "60000", oninput: () => move() });
    const moment = h("output", { for: "day-time" });
    const timeline = h("div", { class: "field", hidden: true },
        h("label", { for: "day-time" }, tx("Time: {time}", { time: moment })), slider);
    const stays = h("ul", { class: "list", "aria-label": t("Where I stayed") });
    const nights = h("ul", { class: "list", "aria-label": t("When I slept") });
    const rates = h("div");
    const element = h("details", { class: "card" },
        h("summary", null, t("My day")),
        h("div", { class: "row" }, h("label", { for: "day-date" }, t("Day")), date, show),
        facts, error, area, timeline, stays, nights, rates);

    let map = null;
    let lines = null;
    let points = [];
    const dot = L.circleMarker([0, 0], { radius: 8, className: "me-dot", interactive: false });

    async function load() {
        const [year, month, day] = date.value.split("-").map(Number);
        const start = new Date(year, month - 1, day);
        const end = new Date(year, month - 1, day + 1);
        if (Number.isNaN(start.getTime())) return write(error, t("Choose a day."));
        show.disabled = true;
        write(error, "");
        write(facts, t("Loading…"));
        try {
            const { positions, vitals } = await readOwnData(app, start.getTime(), end.getTime(), EVERY_S);
            draw(positions, vitals, start.getTime(), end.getTime());
        } catch (problem) {
            write(facts, "");
            write(error, problemText(problem));
        } finally {
            show.disabled = false;
        }
    }

    function draw(positions, vitals, start, end) {
        const all = inOrder(positions);
        points = leading(all);
        area.hidden = timeline.hidden = points.length === 0;
        write(facts, points.length === 0 ? t("No positions are stored for that day.")
            : t("About {distance}, from {from} to {to}.", {
                distance: distance(distanceOf(points)), ...times(points[0].at, points.at(-1).at),
            }));
        replace(stays, points.length === 0 ? [] : staysOf(points).map((stay) => h("li", { class: "row" },
            h("span", { class: "grow small" },
                t("Stayed from {from} to {to} ({duration})", times(stay.from, stay.to))),
            h("button", {
                type: "button", class: "button quiet small", onclick: () => goTo(stay.from),
                "aria-label": t("Show where I stayed from {time}", { time: time(stay.from) }),
            }, t("Show")))));
        replace(nights, sleepOf(vitals, start, end).map((sleep) => h("li", { class: "small" },
            t("Asleep from {from} to {to} ({duration}), according to your devices",
                times(sleep.from, sleep.to)))));
        const hours = Math.round((end - start) / HOUR_MS);
        const byHour = ratesByHour(vitals, start, hours);
        replace(rates, byHour.every((rate) => rate === null) ? [] : barChart({
            title: t("Heart rate"), note: t("hourly mean, beats per minute"), lowest: 30,
            bars: byHour.map((value, hour) => ({ label: time(start + hour * HOUR_MS), value })),
            ends: [time(start), time(end)],
        }));
        if (points.length > 0) drawWay(all);
    }

    function drawWay(all) {
        map ??= makeMap(area);
        lines?.remove();
        const devices = [...new Set(all.map(({ device }) => device))];
        const ways = devices.map((one) => all.filter(({ device }) => device === one)
            .map(({ latitude, longitude }) => [latitude, longitude]));
        lines = L.layerGroup([
            ...ways.map((way) => L.polyline(way, { interactive: false, className: "path-edge", weight: 8 })),
            ...ways.map((way) => L.polyline(way, { interactive: false, className: "day-line", weight: 4 })),
        ]).addTo(map);
        map.invalidateSize({ animate: false });
        map.fitBounds(L.latLngBounds(ways.flat()), { maxZoom: 16, padding: [24, 24], animate: false });
        slider.min = points[0].at;
        slider.max = points.at(-1).at;
        slider.value = slider.max;
        dot.addTo(map);
        move();
    }

    function move() {
        const point = positionAt(points, Number(slider.value));
        write(moment, time(point.at));
        dot.setLatLng([point.latitude, point.longitude]).bringToFront();
    }

    function goTo(at) {
        slider.value = at;
        move();
        area.scrollIntoView({ block: "nearest" });
    }

    return { element };
}

function times(from, to) {
    return { from: time(from), to: time(to), duration: duration(to - from) };
}

function localDate(date) {
    const two = (number) => String(number).padStart(2, "0");
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

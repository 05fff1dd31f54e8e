import {
    distanceOf, inOrder, leading, meanRate, positionAt, ratesByHour, sleepOf, staysOf,
} from "/js/account/day-facts.js";
import { equal, test } from "/unit.js";

const START = Date.parse("2026-05-01T08:00:00Z");
/// A fix this many metres to the north, after this many seconds.
const at = (metres, seconds, accuracy = 5) => ({
    latitude: 46 + metres / 111_195, longitude: 14.5, accuracy,
    timestamp: new Date(START + seconds * 1000).toISOString(),
});

test("Positions are sorted, and inaccurate ones left out", () => {
    const points = inOrder([at(20, 2), at(900, 1, 500), at(10, 1)]);
    equal(points.map((point) => point.at - START), [1000, 2000]);
});

test("A person who stays in place covers no distance, however positions jump", () => {
    const jumps = Array.from({ length: 600 }, (_, index) => at((index % 2) * 20, index));
    equal(distanceOf(inOrder(jumps)), 0);
    const walk = Array.from({ length: 100 }, (_, index) => at(index * 40, index * 30));
    equal(Math.round(distanceOf(inOrder(walk))), 3960);
    equal(distanceOf([]), 0);
});

test("A stay lasts at least ten minutes in one place", () => {
    const day = [
        ...Array.from({ length: 30 }, (_, index) => at(index % 3, index * 60)),
        ...Array.from({ length: 20 }, (_, index) => at(300 * (index + 1), 1800 + index * 60)),
        ...Array.from({ length: 12 }, (_, index) => at(6000, 3000 + index * 60)),
    ];
    const stays = staysOf(inOrder(day)).map(({ from, to }) => [(from - START) / 60_000, (to - START) / 60_000]);
    equal(stays, [[0, 29], [49, 61]]);
    equal(staysOf([]), []);
});

test("Heart rates are hourly means, with gaps for hours without any", () => {
    const rate = (minutes, heartRate) => ({
        timestamp: new Date(START + minutes * 60_000).toISOString(), heartRate,
    });
    const vitals = [rate(0, 60), rate(59, 71), rate(125, 80), rate(130, undefined), rate(600, 99)];
    equal(ratesByHour(vitals, START, 3), [66, null, 80]);
});

test("The path is that of the device that went farthest", () => {
    const phone = Array.from({ length: 10 }, (_, index) => ({ ...at(index * 100, index * 60), device: "phone" }));
    const tablet = Array.from({ length: 50 }, (_, index) => ({ ...at(5000, index * 10), device: "tablet" }));
    const way = leading(inOrder([...tablet, ...phone]));
    equal([way.length, Math.round(distanceOf(way))], [10, 900]);
    equal(leading([]), []);
});

test("Sleep is as devices report it, without short pauses, on the day it ends", () => {
    const said = (minutes, activity) => ({
        timestamp: new Date(START + minutes * 60_000).toISOString(), activity, heartRate: 50,
    });
    const HOUR = 60;
    const vitals = [
        ...Array.from({ length: 41 }, (_, index) => said(-9 * HOUR + index * 10, "sleep")),
        // A short waking, then sleep again; a five-minute nap; a gap in the data.
        said(-2 * HOUR, "rest"),
        ...Array.from({ length: 7 }, (_, index) => said(-HOUR + index * 15, "sleep")),
        said(5 * HOUR, "sleep"), said(5 * HOUR + 5, "sleep"), said(6 * HOUR, undefined),
        said(20 * HOUR, "sleep"), said(21 * HOUR, "sleep"),
    ];
    const spans = (from, to) => sleepOf([...vitals].reverse(), START + from * HOUR * 60_000,
        START + to * HOUR * 60_000).map((span) => [span.from, span.to].map((time) => (time - START) / 60_000));
    equal(spans(-10, 24), [[-540, -140], [-60, 30]]);
    equal(spans(0, 24), [[-60, 30]]);
    equal(meanRate(vitals, START, START + 60_000), 50);
    equal(meanRate([], START, START + 60_000), null);
});

test("A person's position at a time is their last known one", () => {
    const points = inOrder([at(0, 0), at(10, 60)]);
    equal(positionAt(points, START + 59_000).at, START);
    equal(positionAt(points, START - 1).at, START);
    equal(positionAt(points, START + 99_000).at, START + 60_000);
});

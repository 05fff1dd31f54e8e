/// Facts from a day's positions and heart rates.

import { metresBetween } from "../geodesy.js";
import { HOUR_MS } from "../units.js";

/// Moving by less, or by less than the positions' accuracy, does not count.
const STEP_M = 30;
const STAY_M = 150;
const STAY_MS = 10 * 60_000;
const USABLE_M = 100;
/// The longest pause within sleep, and the shortest sleep.
const SLEEP_GAP_MS = 30 * 60_000;
const SLEEP_MS = 10 * 60_000;

/// Positions in the order in which they were taken, without inaccurate ones.
export function inOrder(positions) {
    return positions
        .filter(({ accuracy = 0 }) => accuracy <= USABLE_M)
        .map((each) => ({ ...each, at: Date.parse(each.timestamp) }))
        .sort((a, b) => a.at - b.at);
}

/// In metres, along positions in order.
export function distanceOf(points) {
    let [metres, anchor] = [0, points[0]];
    for (const point of points) {
        const step = metresBetween(anchor, point);
        if (step <= Math.max(STEP_M, 2 * (point.accuracy ?? 0))) continue;
        metres += step;
        anchor = point;
    }
    return metres;
}

/// Stays of ten minutes or longer: `{latitude,longitude,from,to}`.
export function staysOf(points) {
    const stays = [];
    let [anchor, last] = [points[0], points[0]];
    const end = () => {
        if (!anchor || last.at - anchor.at < STAY_MS) return;
        stays.push({
            latitude: anchor.latitude, longitude: anchor.longitude, from: anchor.at, to: last.at,
        });
    };
    for (const point of points) {
        if (metresBetween(anchor, point) > STAY_M) {
            end();
            anchor = point;
        }
        last = point;
    }
    end();
    return stays;
}

/// The points of the device that went farthest: others may have been left at home.
export function leading(points) {
    const ways = [...new Set(points.map(({ device }) => device))]
        .map((one) => points.filter(({ device }) => device === one))
        .map((way) => ({ way, metres: distanceOf(way) }));
    return ways.reduce((best, each) => (!best || each.metres > best.metres ? each : best), null)?.way ?? [];
}

/// Sleep according to the person's devices: `{from,to}`, of sleep that ended in this period.
export function sleepOf(vitals, start, end) {
    const said = vitals.filter(({ activity }) => activity !== undefined)
        .map(({ timestamp, activity }) => ({ at: Date.parse(timestamp), isAsleep: activity === "sleep" }))
        .sort((a, b) => a.at - b.at);
    const spans = [];
    let span = null;
    for (const { at, isAsleep } of said) {
        if (span && isAsleep && at - span.to <= SLEEP_GAP_MS) {
            span.to = at;
        } else {
            span = isAsleep ? { from: at, to: at } : null;
            if (span) spans.push(span);
        }
    }
    return spans.filter(({ from, to }) => to - from >= SLEEP_MS && to >= start && to < end);
}

/// The mean heart rate of a period; null if there is none.
export function meanRate(vitals, start, end) {
    const rates = vitals.filter(({ timestamp, heartRate }) => heartRate !== undefined
        && Date.parse(timestamp) >= start && Date.parse(timestamp) < end);
    return rates.length === 0 ? null
        : Math.round(rates.reduce((sum, { heartRate }) => sum + heartRate, 0) / rates.length);
}

/// The mean heart rate of each hour after a time; null if there is none.
export function ratesByHour(vitals, start, hours) {
    return Array.from({ length: hours }, (_, hour) =>
        meanRate(vitals, start + hour * HOUR_MS, start + (hour + 1) * HOUR_MS));
}

/// The position at a time, or the last one before it.
export function positionAt(points, at) {
    return points.findLast((point) => point.at <= at) ?? points[0];
}

/// What a day's positions and heart rates come to.

import { metresBetween } from "../fix.js";

/// Whoever moves by less, or by less than positions are inexact, has not moved.
const STEP_M = 30;
const STAY_M = 150;
const STAY_MS = 10 * 60_000;
const USABLE_M = 100;

/// Positions in the order in which they were taken, without those that say little.
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

/// Where somebody stayed for ten minutes or longer: `{latitude,longitude,from,to}`.
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

/// The mean heart rate of each hour after a time; null where there is none.
export function ratesByHour(vitals, start, hours) {
    const sums = Array.from({ length: hours }, () => ({ sum: 0, count: 0 }));
    for (const { timestamp, heartRate } of vitals) {
        const hour = Math.floor((Date.parse(timestamp) - start) / 3_600_000);
        if (heartRate === undefined || !sums[hour]) continue;
        sums[hour].sum += heartRate;
        sums[hour].count += 1;
    }
    return sums.map(({ sum, count }) => (count ? Math.round(sum / count) : null));
}

/// The position at a time, or the last one before it.
export function positionAt(points, at) {
    return points.findLast((point) => point.at <= at) ?? points[0];
}

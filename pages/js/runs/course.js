/// Positions on a course, by the metres since the start. Pure: no page, no map.

import { metresBetween } from "../geodesy.js";

/// - Parameter run: a Run with its course.
/// Returns `{points,length,lap,pointAt(metres),heights}`: `points` are `[latitude,longitude]`; `heights` are
/// `{metres,height}` along one lap, or empty.
export function makeCourse(run) {
    const points = run.course.coordinates.map(([longitude, latitude]) => [latitude, longitude]);
    const sums = [0];
    for (let index = 1; index < points.length; index += 1) {
        sums.push(sums[index - 1] + between(points[index - 1], points[index]));
    }
    const lap = run.distance / run.laps;
    // Scales to the service's length, which is measured over the ellipsoid.
    const scale = lap / sums[sums.length - 1];
    const distances = sums.map((sum) => sum * scale);
    const hasHeights = run.course.coordinates.every((place) => place.length > 2);
    return {
        points, lap, length: run.distance,
        heights: hasHeights
            ? run.course.coordinates.map(([, , height], index) =>
                ({ metres: distances[index], height }))
            : [],
        pointAt(metres) {
            const whole = Math.max(0, Math.min(metres, run.distance));
            const laps = Math.min(run.laps - 1, Math.floor(whole / lap));
            const rest = whole - laps * lap;
            let index = distances.findIndex((distance) => distance >= rest);
            if (index < 0) index = distances.length - 1;
            if (index === 0) return points[0];
            const [before, after] = [distances[index - 1], distances[index]];
            const part = (rest - before) / (after - before);
            return [0, 1].map((axis) =>
                points[index - 1][axis] + (points[index][axis] - points[index - 1][axis]) * part);
        },
    };
}

/// Metres between two `[latitude,longitude]`.
function between(a, b) {
    const [from, to] = [a, b].map(([latitude, longitude]) => ({ latitude, longitude }));
    return metresBetween(from, to);
}

/// The length of a line of `[latitude,longitude]`.
export function lengthOf(points) {
    return points.slice(1).reduce((sum, point, index) => sum + between(points[index], point), 0);
}

/// How far a runner was at a time, from their splits `[[seconds,metres],…]`; null before the first.
export function metresAt(splits, seconds) {
    if (splits.length === 0 || seconds < splits[0][0]) return null;
    const index = splits.findIndex(([at]) => at > seconds);
    if (index < 0) return splits[splits.length - 1][1];
    const [[t1, m1], [t2, m2]] = [splits[index - 1], splits[index]];
    return m1 + (m2 - m1) * (seconds - t1) / (t2 - t1);
}

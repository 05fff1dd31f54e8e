/// The path of a member: its newest segments, which are retained, and the earlier ones.

import { call } from "./api.js";
import { store } from "./store.js";

/// A path has at most 100,000 points, and comes in pages of 400.
const MOST_PAGES = 250;
const PAGE_PAUSE_MS = 200;
const RETRY_MS = 15_000;
/// Retained segments come as many messages, in any order.
const SETTLING_MS = 500;
/// The maximum number of points drawn for the beginning of a path.
const MOST_POINTS = 5_000;

function newPath() {
    return {
        /// number → segment: the retained segments.
        segments: new Map(),
        /// The same for segments that are no longer retained, contiguous with the first that is.
        older: new Map(),
        /// The points before all of these, `[longitude, latitude, epochMs]`; null: not requested.
        beginning: null,
        isLoading: false,
    };
}

export function applySegment(group, user, number, segment) {
    const path = group.paths.get(user) ?? newPath();
    if (segment) {
        path.segments.set(number, segment);
        // With its first segment the whole path is known; drop what was kept of an earlier path.
        if (number === 1) Object.assign(path, { older: new Map(), beginning: null });
    } else {
        const gone = path.segments.get(number);
        path.segments.delete(number);
        // If the path has grown, the segment is no longer retained but still known. Otherwise this
        // is another path.
        if (gone && first(path.segments) === number + 1) path.older.set(number, gone);
        else Object.assign(path, { older: new Map(), beginning: null });
    }
    if (path.segments.size) group.paths.set(user, path);
    else group.paths.delete(user);
}

const first = (segments) => Math.min(...segments.keys());

/// The known segments in order, up to the newest without a gap.
function knownSegments({ segments, older }) {
    const numbers = [...segments.keys()].sort((a, b) => a - b);
    const found = numbers.map((number) => segments.get(number));
    for (let number = numbers[0] - 1; older.has(number); number -= 1) {
        found.unshift(older.get(number));
        numbers.unshift(number);
    }
    return { number: numbers[0], found };
}

/// All points of a path, `[latitude, longitude]`, in order.
export function pointsOf(path) {
    if (!path) return [];
    const newest = knownSegments(path).found.flatMap((segment) => segment.points);
    const since = newest[0]?.[2] ?? 0;
    const beginning = (path.beginning ?? []).filter(([, , time]) => time < since);
    return [...beginning, ...newest].map(([longitude, latitude]) => [latitude, longitude]);
}

/// Requests the points before the known segments once.
export async function loadBeginning(group, user) {
    const path = group.paths.get(user);
    if (!path || path.isLoading || path.beginning || knownSegments(path).number === 1) return;
    path.isLoading = true;
    try {
        await pause(SETTLING_MS);
        const until = knownSegments(path).found[0]?.points[0]?.[2] ?? 0;
        const points = await pointsUntil(until, group.group, user);
        const step = Math.ceil(points.length / MOST_POINTS);
        path.beginning = points.filter((_, index) => index % step === 0);
        path.isLoading = false;
        store.change(() => {});
    } catch {
        setTimeout(() => { path.isLoading = false; }, RETRY_MS);
    }
}

async function pointsUntil(until, group, user) {
    const points = [];
    let cursor;
    for (let page = 0; page < MOST_PAGES; page += 1) {
        const answer = await call("path.get", { group, user, ...(cursor ? { cursor } : {}) });
        const { geometry, properties } = answer.path;
        // A path across ±180° comes as several lines.
        const isCut = geometry?.type === "MultiLineString";
        const places = geometry?.type === "Point"
            ? [geometry.coordinates] : (geometry?.coordinates ?? []).flat(isCut ? 1 : 0);
        const times = properties.times.flat();
        places.forEach((place, index) => points.push([...place, times[index]]));
        cursor = answer.next;
        if (!cursor || points.at(-1)?.[2] >= until) break;
        await pause(PAGE_PAUSE_MS);
    }
    return points.filter(([, , time]) => time < until);
}

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/// The path of a member: its newest segments as the topics keep them, and what came before.

import { call } from "./api.js";
import { store } from "./store.js";

/// A path has at most 100,000 points, and comes in pages of 400.
const MOST_PAGES = 250;
const PAGE_PAUSE_MS = 200;
const RETRY_MS = 15_000;
/// What is retained comes as many messages, in any order.
const SETTLING_MS = 500;
/// So many points of the beginning are drawn.
const MOST_POINTS = 5_000;

function newPath() {
    return {
        /// number → segment, those that are retained.
        segments: new Map(),
        /// The same of those that were, one after the other up to the first that is.
        older: new Map(),
        /// What came before all of them, `[longitude, latitude, epochMs]`; null: not asked for.
        beginning: null,
        isLoading: false,
    };
}

export function applySegment(group, user, number, segment) {
    const path = group.paths.get(user) ?? newPath();
    if (segment) {
        path.segments.set(number, segment);
        // From its first segment on everything is known, of whatever path was here before.
        if (number === 1) Object.assign(path, { older: new Map(), beginning: null });
    } else {
        const gone = path.segments.get(number);
        path.segments.delete(number);
        // The path has grown: what is not retained any more is still known. Or it is another one.
        if (gone && first(path.segments) === number + 1) path.older.set(number, gone);
        else Object.assign(path, { older: new Map(), beginning: null });
    }
    if (path.segments.size) group.paths.set(user, path);
    else group.paths.delete(user);
}

const first = (segments) => Math.min(...segments.keys());

/// All segments that are known, in their order, up to the newest without a gap.
function knownSegments({ segments, older }) {
    const numbers = [...segments.keys()].sort((a, b) => a - b);
    const found = numbers.map((number) => segments.get(number));
    for (let number = numbers[0] - 1; older.has(number); number -= 1) {
        found.unshift(older.get(number));
        numbers.unshift(number);
    }
    return { number: numbers[0], found };
}

/// All points of a path, `[latitude, longitude]`, in their order.
export function pointsOf(path) {
    if (!path) return [];
    const newest = knownSegments(path).found.flatMap((segment) => segment.points);
    const since = newest[0]?.[2] ?? 0;
    const beginning = (path.beginning ?? []).filter(([, , time]) => time < since);
    return [...beginning, ...newest].map(([longitude, latitude]) => [latitude, longitude]);
}

/// Asks once for what came before the segments that are known.
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
        // Where it crosses ±180° it comes as several lines.
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

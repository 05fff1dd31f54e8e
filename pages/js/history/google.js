/// Positions in Google's location history exports. There is no specification; the formats are those
/// described at https://locationhistoryformat.com and those phones have exported since 2024.

const MINUTE_MS = 60_000;
/// Old exports have negative numbers as unsigned.
const WRAP = 2 ** 32;
const E7_MAX = 1_800_000_000;

/// - Parameter element: of `locations` (Records.json), `timelineObjects` (the monthly files),
///   `semanticSegments` or `rawSignals` (Timeline.json of Android), or the array that iOS exports.
export function* positionsOfGoogle(element) {
    if (!element || typeof element !== "object") return;
    if ("latitudeE7" in element) return yield record(element);
    if (element.position) yield signal(element.position);
    if (Array.isArray(element.timelinePath)) yield* path(element);
    if (element.visit) yield* visit(element);
    if (element.activity) yield* activity(element);
    if (element.placeVisit) yield* span(element.placeVisit.duration, element.placeVisit.location);
    if (element.activitySegment) {
        const { duration, startLocation, endLocation } = element.activitySegment;
        yield* span(duration, startLocation, endLocation);
    }
}

function record({ latitudeE7, longitudeE7, timestamp, timestampMs, velocity, ...rest }) {
    return {
        latitude: degrees(latitudeE7), longitude: degrees(longitudeE7),
        timestamp: timestamp ?? Number(timestampMs), speed: velocity,
        accuracy: rest.accuracy, altitude: rest.altitude, heading: rest.heading,
    };
}

function signal({ LatLng, timestamp, accuracyMeters, altitudeMeters, speedMetersPerSecond }) {
    return {
        ...point(LatLng), timestamp, accuracy: accuracyMeters, altitude: altitudeMeters,
        speed: speedMetersPerSecond,
    };
}

function* path({ startTime, timelinePath }) {
    for (const { point: place, time, durationMinutesOffsetFromStartTime: minutes } of timelinePath) {
        yield {
            ...point(place),
            timestamp: time ?? Date.parse(startTime) + Number(minutes) * MINUTE_MS,
        };
    }
}

/// Its beginning and its end.
function* visit({ startTime, endTime, visit: { topCandidate } }) {
    const place = topCandidate?.placeLocation;
    const where = point(place?.latLng ?? place);
    yield { ...where, timestamp: startTime };
    yield { ...where, timestamp: endTime };
}

function* activity({ startTime, endTime, activity: { start, end } }) {
    yield { ...point(start?.latLng ?? start), timestamp: startTime };
    yield { ...point(end?.latLng ?? end), timestamp: endTime };
}

function* span(duration, from, to = from) {
    const time = (name) => duration?.[`${name}Timestamp`] ?? Number(duration?.[`${name}TimestampMs`]);
    for (const [place, at] of [[from, time("start")], [to, time("end")]]) {
        if (place?.latitudeE7 === undefined) continue;
        yield {
            latitude: degrees(place.latitudeE7), longitude: degrees(place.longitudeE7), timestamp: at,
        };
    }
}

function degrees(e7) {
    return (e7 > E7_MAX ? e7 - WRAP : e7) / 1e7;
}

/// From `48.1°, 11.5°` or `geo:48.1,11.5`.
function point(text) {
    const match = /^(?:geo:)?(-?[\d.]+)°?,\s*(-?[\d.]+)°?$/.exec(typeof text === "string" ? text.trim() : "");
    return match ? { latitude: Number(match[1]), longitude: Number(match[2]) } : {};
}

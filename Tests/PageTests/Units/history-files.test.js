import { positionsIn } from "/js/history/files.js";
import { equal, test } from "/unit.js";

/// Reads a file; returns a line `latitude longitude time key=value …` for each position, then an
/// error's words and `skipped n`, if any.
async function read(content, ...more) {
    const found = [];
    let skipped = 0;
    try {
        const file = content instanceof Blob ? content : new Blob([content, ...more]);
        for await (const position of positionsIn(file, () => { skipped += 1; })) {
            const { latitude, longitude, timestamp, ...rest } = position;
            const time = new Date(timestamp).toISOString().slice(0, 19);
            found.push([latitude, longitude, time, ...Object.entries(rest).map(([key, value]) =>
                `${key}=${Math.round(value * 100) / 100}`)].join(" "));
        }
    } catch (error) {
        found.push(error.message);
    }
    return skipped ? [...found, `skipped ${skipped}`] : found;
}

/// A blob that is read in pieces of three bytes.
function inPieces(text) {
    const bytes = new TextEncoder().encode(text);
    const blob = new Blob([bytes]);
    blob.stream = () => new ReadableStream({
        start(controller) {
            for (let at = 0; at < bytes.length; at += 3) controller.enqueue(bytes.slice(at, at + 3));
            controller.close();
        },
    });
    return blob;
}

const GPX = `<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1" version="1.1"><trk><trkseg>
    <trkpt lat="46.05" lon="14.5"><ele>300.5</ele><time>2024-05-01T08:00:00Z</time></trkpt>
    <trkpt lat="46.06" lon="14.5"><time>2024-05-01T10:01:00+02:00</time></trkpt>
    <trkpt lat="46.07" lon="14.5"></trkpt>
    <trkpt lat="95" lon="14.5"><time>2024-05-01T08:02:00Z</time></trkpt></trkseg></trk></gpx>`;

test("GPX files yield the points that have a time, even when compressed", async () => {
    const expected = ["46.05 14.5 2024-05-01T08:00:00 altitude=300.5", "46.06 14.5 2024-05-01T08:01:00"];
    equal(await read(GPX), [...expected, "skipped 2"]);
    const zipped = await new Response(
        new Blob([GPX]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
    equal(await read(zipped), [...expected, "skipped 2"]);
    equal(await read(zipped.slice(0, zipped.size - 20)), ["The file is damaged."]);
});

test("TCX files yield the points of every lap", async () => {
    equal(await read(`<TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint>
        <Time>2024-05-01T08:00:00.000Z</Time><Position><LatitudeDegrees>46.05</LatitudeDegrees>
        <LongitudeDegrees>14.5</LongitudeDegrees></Position><AltitudeMeters>310</AltitudeMeters></Trackpoint>
        <Trackpoint><Time>2024-05-01T08:00:01Z</Time></Trackpoint></Track></Lap></Activity></Activities>
        </TrainingCenterDatabase>`),
    ["46.05 14.5 2024-05-01T08:00:00 altitude=310", "skipped 1"]);
});

const RECORDS = JSON.stringify({
    locations: [
        {
            latitudeE7: 460500000, longitudeE7: 145000000, accuracy: 20, velocity: 2, heading: 90,
            timestamp: "2022-01-12T17:18:24.190Z", activity: [{ activity: [{ type: "STILL" }] }],
            source: "a \"quoted\" {brace",
        },
        { latitudeE7: 4244967296, longitudeE7: 145000000, timestampMs: "1400000000000" },
        { deviceTag: 1 }, { latitudeE7: 460500000, longitudeE7: 145000000 },
    ],
    settings: { a: [{ latitudeE7: 1, longitudeE7: 1, timestamp: "2022-01-12T17:18:24Z" }] },
});

test("Google's Records.json yields positions, in its old and new forms", async () => {
    const expected = [
        "46.05 14.5 2022-01-12T17:18:24 accuracy=20 speed=2 heading=90",
        "-5 14.5 2014-05-13T16:53:20", "skipped 1",
    ];
    equal(await read(RECORDS), expected);
    equal(await read(inPieces(RECORDS)), expected);
});

test("Android's Timeline.json yields paths, visits, activities and raw positions", async () => {
    equal(await read(inPieces(JSON.stringify({
        semanticSegments: [
            {
                startTime: "2025-06-16T20:00:00.000+02:00", endTime: "2025-06-16T22:00:00.000+02:00",
                timelinePath: [{ point: "43.77°, -9.07°", time: "2025-06-16T20:41:00.000+02:00" }],
            },
            {
                startTime: "2025-06-16T22:00:00Z", endTime: "2025-06-17T06:00:00Z",
                visit: { topCandidate: { placeLocation: { latLng: "43.7°, 9.1°" } } },
            },
            {
                startTime: "2025-06-17T06:00:00Z", endTime: "2025-06-17T06:30:00Z",
                activity: { start: { latLng: "43.7°, 9.1°" }, end: { latLng: "43.8°, 9.1°" } },
            },
        ],
        rawSignals: [
            { activityRecord: { timestamp: "2025-06-17T06:00:00Z" } },
            {
                position: {
                    LatLng: "43.9°, 9.2°", accuracyMeters: 13, altitudeMeters: 90.5,
                    timestamp: "2025-06-17T08:00:00.000+02:00", speedMetersPerSecond: 0.5,
                },
            },
        ],
        userLocationProfile: { frequentPlaces: [{ placeLocation: "43.9°, 9.2°" }] },
    }))), [
        "43.77 -9.07 2025-06-16T18:41:00", "43.7 9.1 2025-06-16T22:00:00",
        "43.7 9.1 2025-06-17T06:00:00", "43.7 9.1 2025-06-17T06:00:00", "43.8 9.1 2025-06-17T06:30:00",
        "43.9 9.2 2025-06-17T06:00:00 accuracy=13 altitude=90.5 speed=0.5",
    ]);
});

test("Google's iOS timeline and its older monthly files yield positions", async () => {
    equal(await read(JSON.stringify([
        {
            startTime: "2025-06-16T20:00:00.000Z", endTime: "2025-06-16T22:00:00.000Z",
            timelinePath: [{ point: "geo:48.1,11.5", durationMinutesOffsetFromStartTime: "12" }],
        },
        {
            startTime: "2025-06-16T22:00:00Z", endTime: "2025-06-16T23:00:00Z",
            visit: { topCandidate: { placeLocation: "geo:48.2,11.5" } },
        },
    ])), [
        "48.1 11.5 2025-06-16T20:12:00", "48.2 11.5 2025-06-16T22:00:00", "48.2 11.5 2025-06-16T23:00:00",
    ]);
    equal(await read(JSON.stringify({
        timelineObjects: [{
            placeVisit: {
                location: { latitudeE7: 481000000, longitudeE7: 115000000 },
                duration: { startTimestamp: "2021-01-01T10:00:00Z", endTimestampMs: "1609498800000" },
            },
        }],
    })), ["48.1 11.5 2021-01-01T10:00:00", "48.1 11.5 2021-01-01T11:00:00"]);
});

test("The OwnTracks recorder's files and responses yield positions", async () => {
    const location = { _type: "location", lat: 46.05, lon: 14.5, tst: 1700000000, acc: 9, vel: 36, cog: 270 };
    const line = (content) => `2023-11-14T22:13:20Z\t*                 \t${JSON.stringify(content)}\n`;
    const expected = "46.05 14.5 2023-11-14T22:13:20 accuracy=9 speed=10 heading=270";
    equal(await read(inPieces(line(location) + line({ _type: "lwt", tst: 1 }) + line(location))),
        [expected, expected]);
    equal(await read(`${line(location)}2023-11-14T22:13:21Z\t*\t{"_type"`), [expected, "skipped 1"]);
    equal(await read(JSON.stringify({ count: 1, data: [location] })), [expected]);
});

test("A truncated file yields its positions and is reported, wherever it ends", async () => {
    const all = await read(RECORDS);
    for (let length = 2; length < RECORDS.length; length += 7) {
        const found = await read(RECORDS.slice(0, length));
        const words = found.find((line) => line.startsWith("The file is cut off"));
        if (!words) throw new Error(`cut after ${length}: ${found}`);
        const before = found.slice(0, found.indexOf(words));
        equal(before, all.slice(0, before.length));
    }
});

test("Other files are refused, each with its reason", async () => {
    const none = "This file format is not supported.";
    for (const content of ["", "hello", "%PDF-1.4", "<html></html>", "a,b\n1,2"]) {
        equal(await read(content), [none], content);
    }
    equal(await read("PK\x03\x04"), [
        "This is an archive. Unpack it, and choose the file with the positions.",
    ]);
    equal(await read("<gpx><trk>"), ["The file is damaged: this is not XML, or it is cut off."]);
    for (const content of ["[}", "{} {}", "[{'a':1}]", "[[[[{]]]", "[1] 2"]) {
        equal(await read(content), ["The file is damaged: this is not JSON."], content);
    }
    equal(await read(`[${"[".repeat(100)}`), ["The file is damaged: this is not JSON."]);
    equal(await read("{}"), []);
});

/// Reads location history files: GPX, TCX, Google's exports (Records.json, Timeline.json and the
/// monthly files), and OwnTracks Recorder files, each also with gzip.

import { t } from "../language.js";
import { HistoryFileError } from "./error.js";
import { positionsOfGoogle } from "./google.js";
import { elementsOf } from "./json-elements.js";
import { positionsOfOwnTracks } from "./owntracks.js";
import { positionsOfXML } from "./xml.js";

/// XML is read as a whole.
const XML_MAX = 200 * 1024 * 1024;
/// Characters needed to recognise a format.
const ENOUGH = 64;
const FIRST_TIME = Date.UTC(1990, 0, 1);

/// Positions as the service accepts them, `{latitude,longitude,timestamp,accuracy?,…}` with times in
/// milliseconds, in the order of the file.
///
/// - Parameter skipped: called for each useless position: without a time or a place.
/// - Throws: `HistoryFileError` if the format is not supported or the file is cut off.
export async function* positionsIn(file, skipped = () => {}) {
    for await (const position of rawPositionsIn(file)) {
        const clean = cleaned(position);
        if (clean) yield clean;
        else skipped();
    }
}

async function* rawPositionsIn(file) {
    const chunks = textOf(file);
    let beginning = "";
    while (beginning.length < ENOUGH) {
        const { value, done } = await chunks.next();
        if (done) break;
        beginning = (beginning + value).trimStart();
    }
    async function* all() {
        yield beginning;
        yield* chunks;
    }
    if (beginning.startsWith("<")) {
        yield* positionsOfXML(await whole(all()));
    } else if (/^[[{]/.test(beginning)) {
        for await (const element of elementsOf(all())) {
            yield* element?._type ? positionsOfOwnTracks(element) : positionsOfGoogle(element);
        }
    } else if (/^\d{4}-\d\d-\d\dT[\d:]+Z\t/.test(beginning)) {
        for await (const line of linesOf(all())) {
            const json = line.slice(line.indexOf("\t", line.indexOf("\t") + 1) + 1);
            try {
                yield* positionsOfOwnTracks(JSON.parse(json));
            } catch {
                yield null;
            }
        }
    } else if (beginning.startsWith("PK")) {
        throw new HistoryFileError(t("This is an archive. Unpack it, and choose the file with the positions."));
    } else {
        throw new HistoryFileError(t("This file format is not supported."));
    }
}

async function* textOf(file) {
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isGzip = head[0] === 0x1f && head[1] === 0x8b;
    const bytes = isGzip ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    const reader = bytes.pipeThrough(new TextDecoderStream()).getReader();
    try {
        for (;;) {
            const { value, done } = await reader.read();
            if (done) return;
            if (value) yield value;
        }
    } catch (error) {
        if (error instanceof TypeError) throw new HistoryFileError(t("The file is damaged."));
        throw error;
    } finally {
        reader.cancel().catch(() => {});
    }
}

async function whole(chunks) {
    let text = "";
    for await (const chunk of chunks) {
        text += chunk;
        if (text.length > XML_MAX) throw new HistoryFileError(t("The file is too large: split it."));
    }
    return text;
}

async function* linesOf(chunks) {
    let rest = "";
    for await (const chunk of chunks) {
        const lines = (rest + chunk).split("\n");
        rest = lines.pop();
        yield* lines.filter((line) => line.trim());
    }
    if (rest.trim()) yield rest;
}

/// The part the service accepts; null if there is none.
function cleaned(position) {
    if (!position) return null;
    const { latitude, longitude } = position;
    const timestamp = typeof position.timestamp === "number" ? Math.round(position.timestamp)
        : Date.parse(position.timestamp);
    const isIn = (value, most) => typeof value === "number" && Math.abs(value) <= most;
    if (!isIn(latitude, 90) || !isIn(longitude, 180)) return null;
    if (latitude === 0 && longitude === 0) return null;
    if (!(timestamp >= FIRST_TIME && timestamp <= Date.now())) return null;
    const clean = { latitude, longitude, timestamp };
    const keep = (name, from, to) => {
        const value = position[name];
        if (typeof value === "number" && value >= from && value <= to) clean[name] = value;
    };
    keep("accuracy", 0, 20_004_000);
    keep("altitude", -12_000, 2_000_000);
    keep("speed", 0, 11_200);
    keep("heading", 0, 360);
    return clean;
}

/// The results of a run, as files. Pure.

/// As CSV (RFC 4180).
export function csvOf(results) {
    const rows = [["rank", "bib", "name", "status", "seconds", "metres", "started", "finished",
        "secondsFromStartLine", "secondsFromGun"]];
    for (const { rank, bib, name, status, time, distance, ...rest } of results) {
        rows.push([rank, bib, name, status, time, distance, rest.startedAt, rest.finishedAt,
            rest.ownTime, rest.gunTime]);
    }
    return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

/// Spreadsheets treat cells that begin like this as formulas.
const FORMULA = /^[=+\-@\t\r]/;

function cell(value) {
    const text = value === undefined || value === null ? "" : String(value);
    const safe = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/// As GPX 1.1: the course, and everyone's progress on it.
export function gpxOf(run, course, results) {
    const start = Date.parse(run.startsAt);
    const point = ([latitude, longitude], tag, time) =>
        `<${tag} lat="${latitude.toFixed(7)}" lon="${longitude.toFixed(7)}">${time
            ? `<time>${new Date(time).toISOString()}</time>` : ""}</${tag}>`;
    const tracks = results.filter(({ splits }) => splits?.length).map(({ bib, name, splits }) =>
        `<trk><name>${xml(name ? `${bib} ${name}` : String(bib))}</name><trkseg>${splits
            .map(([seconds, metres]) =>
                point(course.pointAt(metres), "trkpt", start + seconds * 1000))
            .join("")}</trkseg></trk>`);
    return '<?xml version="1.0" encoding="UTF-8"?>\n'
        + '<gpx version="1.1" creator="Kith" xmlns="http://www.topografix.com/GPX/1/1">'
        + `<rte><name>${xml(run.name)}</name>${course.points
            .map((place) => point(place, "rtept")).join("")}</rte>${tracks.join("")}</gpx>\n`;
}

function xml(text) {
    return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

export function download(name, type, text) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

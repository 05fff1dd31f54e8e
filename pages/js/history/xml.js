/// Positions in GPX (https://www.topografix.com/GPX/1/1/) and TCX files.

import { t } from "../language.js";
import { HistoryFileError } from "./error.js";

export function* positionsOfXML(text) {
    const document = new DOMParser().parseFromString(text, "text/xml");
    if (document.getElementsByTagName("parsererror").length > 0) {
        throw new HistoryFileError(
            t("The file is damaged: this is not XML, or it is cut off."));
    }
    const root = document.documentElement.localName;
    const points = { gpx: "trkpt", TrainingCenterDatabase: "Trackpoint" }[root];
    if (!points) throw new HistoryFileError(t("This file format is not supported."));
    for (const point of document.getElementsByTagNameNS("*", points)) {
        yield root === "gpx" ? trackPoint(point) : trainingPoint(point);
    }
}

function trackPoint(point) {
    const degrees = (name) => (point.hasAttribute(name) ? Number(point.getAttribute(name)) : NaN);
    return {
        latitude: degrees("lat"), longitude: degrees("lon"), timestamp: textOf(point, "time"),
        altitude: numberOf(point, "ele"), speed: numberOf(point, "speed"),
        heading: numberOf(point, "course"),
    };
}

function trainingPoint(point) {
    return {
        latitude: numberOf(point, "LatitudeDegrees"), longitude: numberOf(point, "LongitudeDegrees"),
        timestamp: textOf(point, "Time"), altitude: numberOf(point, "AltitudeMeters"),
        speed: numberOf(point, "Speed"),
    };
}

function textOf(element, name) {
    return element.getElementsByTagNameNS("*", name)[0]?.textContent.trim();
}

function numberOf(element, name) {
    const text = textOf(element, name);
    return text ? Number(text) : undefined;
}

/// The words for a place: its kind, and whether it is open, by the clocks there.

import { serverNow } from "../clock.js";
import { clocksDiffer, momentIn } from "../format.js";
import { t } from "../language.js";

/// "Fast food" of `fast_food`, as OpenStreetMap writes it.
export function kindWords(kind) {
    const words = (kind ?? "").replace(/[_\s;]+/g, " ").trim();
    return words && words[0].toUpperCase() + words.slice(1);
}

/// Whether it has opened or closed since the server's response.
export function isOutdated({ nextChange }, now = serverNow()) {
    return Date.parse(nextChange) <= now;
}

/// - Returns: `{text,tone}`: "Open until 19:30 (Rome time)", and the class of the words.
export function openWords(place, now = serverNow()) {
    const { state, nextChange, timeZone } = place;
    if (isOutdated(place, now)) return { text: t("Not known whether it is open now"), tone: "muted" };
    const time = nextChange && momentIn(timeZone, nextChange, now) + zoneWords(timeZone, nextChange);
    if (state === "open") {
        return { text: time ? t("Open until {time}", { time }) : t("Open"), tone: "good-text" };
    }
    if (state === "closed") {
        return { text: time ? t("Closed, opens {time}", { time }) : t("Closed"), tone: "warning-text" };
    }
    return { text: t("Opening hours not known"), tone: "muted" };
}

/// " (Rome time)" if clocks there and here differ at that time.
export function zoneWords(timeZone, at) {
    return clocksDiffer(timeZone, at) ? ` ${t("({city} time)", { city: zoneCity(timeZone) })}` : "";
}

/// "New York" of `America/New_York`.
export function zoneCity(timeZone) {
    return timeZone.split("/").at(-1).replaceAll("_", " ");
}

/// Whether a place belongs to a person or a group: those have a UUID.
export function isOwnPlace(id) {
    return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);
}

/// Opens a point in a maps app (RFC 5870).
export function geoLink({ latitude, longitude }) {
    return `geo:${plain(latitude)},${plain(longitude)}`;
}

/// To a centimetre, never with an exponent.
function plain(degrees) {
    return degrees.toFixed(7).replace(/\.?0+$/, "");
}

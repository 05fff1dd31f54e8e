/// People close together, as one mark with their number; pressing it fans them out.

import * as L from "/leaflet/leaflet.esm.js";
import { isolate } from "../bidi.js";
import { h, toggle, write } from "../dom.js";
import { together } from "../format.js";
import { t, tn } from "../language.js";

const SIZE = 48;
/// The number of colours that can be distinguished on the ring.
const MOST_COLOURS = 8;

/// - Parameter press: fans them out, or collapses them.
export function makeCrowdMarker({ layer, glider, press }) {
    const number = h("span", { class: "crowd-number" });
    const call = h("span", { class: "crowd-call", hidden: true });
    const button = h("button", { type: "button", class: "crowd-button" }, call, number);
    const tag = h("span", { class: "tag crowd-tag", "aria-hidden": "true", dir: "auto" });
    const element = h("div", { class: "crowd-marker" }, button, tag);
    const marker = L.marker([0, 0], {
        icon: L.divIcon({
            className: "person-icon face-icon", html: element, iconSize: [SIZE, SIZE],
            iconAnchor: [SIZE / 2, SIZE / 2],
        }),
        keyboard: false,
    });
    marker.on("click", () => press());
    let size = null;
    let height = 0;

    return {
        button,
        tag,

        get size() {
            size ??= { width: tag.offsetWidth, height: tag.offsetHeight };
            return size;
        },

        forgetSize() {
            size = null;
        },

        /// - Parameter people: the most important first, `{name,colour,isSOS,isMe,at}`.
        update(people, isOpen) {
            if (!layer.hasLayer(marker)) marker.setLatLng(people[0].at).addTo(layer);
            glider.move(marker, people[0].at);
            const calls = people.filter(({ isSOS }) => isSOS);
            const wanted = isOpen ? 20_000 : calls.length ? 4500 : 2000;
            if (wanted !== height) marker.setZIndexOffset(wanted);
            height = wanted;
            const text = tagWords(people, calls);
            if (tag.textContent !== text) size = null;
            write(tag, text);
            write(number, String(people.length));
            write(call, t("SOS"));
            call.hidden = calls.length === 0;
            toggle(element, "data-open", isOpen);
            toggle(element, "data-state", calls.length ? "sos" : null);
            toggle(button, "aria-expanded", String(isOpen));
            toggle(button, "aria-label", buttonWords(people, calls));
            element.style.setProperty("--ring", ring(people.map(({ colour }) => colour)));
        },

        remove: () => marker.removeFrom(layer),
    };
}

/// The people in the crowd: in an emergency, those who call for help.
function tagWords(people, calls) {
    if (calls.length) return t("SOS: {names}", { names: together(calls.map(nameOf)) });
    const [first, ...rest] = people;
    if (rest.length === 1) return together([nameOf(first), nameOf(rest[0])]);
    return tn(rest.length, "{name} and 1 more", "{name} and {count} more", { name: nameOf(first) });
}

function buttonWords(people, calls) {
    const values = { count: people.length, names: together(people.map(nameOf)) };
    if (!calls.length) return t("{count} people here: {names}", values);
    return t("SOS: {calls}. {count} people here: {names}", {
        ...values, calls: together(calls.map(nameOf)),
    });
}

const nameOf = ({ name, isMe }) => (isMe ? t("You") : isolate(name));

/// The colours of the people in the crowd, side by side around the mark.
function ring(colours) {
    const shown = colours.slice(0, MOST_COLOURS);
    const part = 100 / shown.length;
    const stops = shown.map((colour, n) => `${colour} ${n * part}% ${(n + 1) * part}%`);
    return `conic-gradient(${stops.join(", ")})`;
}

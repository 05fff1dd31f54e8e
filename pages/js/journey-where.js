/// A journey's destination: searched, pressed on the map, typed, or a recent or saved place.

import { circle, circleMarker, layerGroup } from "/leaflet/leaflet.esm.js";

import { recentDestinations } from "./destinations.js";
import { h, replace, write } from "./dom.js";
import { makeField } from "./form.js";
import { coordinates } from "./format.js";
import { geolocation } from "./geolocation.js";
import { icon } from "./icons.js";
import { t } from "./language.js";
import { loadOwn } from "./places/own-data.js";
import { openSearch } from "./search/search.js";

/// How long the device may search for its position before the map is shown without it.
const NEAR_PATIENCE_MS = 3_000;
const MOST_PROPOSED = 6;

/// - Parameters:
///   - radiusOf: in metres, for the circle on the map.
///   - named: called with the name of a place that has one.
/// - Returns: `{element,fields,point,focus(),open(),set(place),draw(),end()}`.
export function makeWhere(app, { radiusOf, named }) {
    let point = null;
    const marks = layerGroup().addTo(app.map);
    const where = h("p", { class: "small muted", role: "status" });
    const latitude = makeField({
        name: "destination.latitude", label: t("Latitude"), inputmode: "text", autocomplete: "off",
    });
    const longitude = makeField({
        name: "destination.longitude", label: t("Longitude"), inputmode: "text", autocomplete: "off",
    });
    const typed = h("details", null,
        h("summary", null, t("Enter coordinates")),
        h("div", { class: "pair" }, latitude.element, longitude.element));

    function set(found) {
        point = { latitude: found.latitude, longitude: found.longitude };
        latitude.input.value = found.latitude.toFixed(5);
        longitude.input.value = found.longitude.toFixed(5);
        latitude.setError("");
        longitude.setError("");
        if (found.name) named(found.name);
        draw();
    }
    function draw() {
        marks.clearLayers();
        if (!point) return write(where, t("No destination yet."));
        write(where, t("Destination: {place}", { place: coordinates(point, 4) }));
        const at = [point.latitude, point.longitude];
        const style = { className: "journey-goal", interactive: false };
        circle(at, { ...style, radius: radiusOf() }).addTo(marks);
        circleMarker(at, { ...style, radius: 5 }).addTo(marks);
    }
    function read() {
        const found = { latitude: degrees(latitude.value), longitude: degrees(longitude.value) };
        const isPoint = Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180;
        point = isPoint ? found : null;
        draw();
    }
    latitude.input.addEventListener("input", read);
    longitude.input.addEventListener("input", read);

    const take = (place) => {
        set(place);
        app.people.showArea(place);
    };
    const search = h("button", {
        type: "button", class: "button", onclick: () => openSearch(app, { pick: take }),
    }, icon("search", 20), t("Search"));
    const choose = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            // The map starts at the person's position, if it is found soon.
            await geolocation.locate({ patience: NEAR_PATIENCE_MS }).catch(() => {});
            const found = await app.choosePoint(t("Tap the map where you are going."));
            if (found) set(found);
        },
    }, icon("map", 20), t("Choose on the map"));
    const proposals = h("div", { class: "chips", role: "group", "aria-label": t("Recent and saved") });
    const propose = () => {
        const all = [...recentDestinations(), ...app.store.state.geofences ?? []]
            .filter(({ name }) => name).slice(0, MOST_PROPOSED);
        proposals.hidden = all.length === 0;
        replace(proposals, all.map((place) => h("button", {
            type: "button", class: "button", onclick: () => take(place),
        }, icon("pin", 18), h("span", { class: "break", dir: "auto" }, place.name))));
    };
    propose();
    if (!app.store.state.geofences) loadOwn(app.call).then(propose).catch(() => {});
    draw();

    return {
        element: h("div", { class: "stack" },
            h("div", { class: "row" }, search, choose), proposals, where, typed),
        fields: [latitude, longitude],
        get point() { return point; },
        get isTyped() { return Boolean(latitude.value || longitude.value); },
        read,
        set,
        draw,
        focus: () => choose.focus(),
        open: () => { typed.open = true; },
        end: () => marks.remove(),
    };
}

/// Parses a number with a decimal point or comma.
function degrees(text) {
    const words = text.trim().replace(",", ".");
    return words === "" ? NaN : Number(words);
}

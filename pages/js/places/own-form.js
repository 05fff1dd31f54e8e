/// The form for a place of mine or of a group: a named circle on the map.

import * as L from "/leaflet/leaflet.esm.js";
import { LIMITS } from "../contract.js";
import { h, write } from "../dom.js";
import { makeChoice, makeField, makeForm, sentence } from "../form.js";
import { coordinates } from "../format.js";
import { geolocation } from "../geolocation.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { wordsOf } from "../while-connected.js";
import { KINDS } from "./own-kinds.js";

const [SMALLEST_RADIUS, LARGEST_RADIUS] = LIMITS.placeRadius;

/// - Parameter place: an existing Geofence, or null for a new one.
/// - Returns: `{element,focus(),end()}`.
export function makePlaceForm(app, place, { saved, cancelled }) {
    const name = makeField({
        name: "name", label: t("Name"), maxlength: 64, autocomplete: "off", value: place?.name ?? "",
    });
    const kind = makeChoice("kind", t("Kind"), Object.entries(KINDS));
    kind.input.value = place?.kind ?? "home";
    const groups = [...app.store.state.groups.values()];
    const group = makeChoice("group", t("Owner"), [
        ["", t("Only me")], ...groups.map((each) => [each.group, t("Group {name}", { name: each.name })]),
    ]);
    const radius = makeField({
        name: "radius", label: t("Radius (metres)"), type: "number", min: SMALLEST_RADIUS, max: LARGEST_RADIUS,
        step: 10, inputmode: "numeric", value: String(Math.round(place?.radius ?? LIMITS.usualPlaceRadius)),
        hint: place ? t("If you move or resize it, the people watched there are asked again.")
            : t("Positions are not exact: a small circle is often missed."),
    });
    const circle = L.circle([0, 0], {
        radius: LIMITS.usualPlaceRadius, className: "new-circle", interactive: false,
    });
    const spot = makeSpot(app, place, draw);
    radius.input.addEventListener("input", () => draw());
    draw();

    function draw() {
        const { value } = spot;
        if (!value) return;
        circle.setLatLng([value.latitude, value.longitude])
            .setRadius(Number(radius.value) || LIMITS.usualPlaceRadius).addTo(app.map);
    }

    const fields = [name, kind, ...(place || groups.length === 0 ? [] : [group]), spot.field, radius];
    const element = makeForm({
        fields,
        button: place ? t("Save") : t("Add the place"),
        submit: async (values) => {
            const errors = [];
            if (!values.name.trim()) errors.push({ field: "name", reason: t("Give it a name") });
            if (!spot.value) errors.push({ field: "latitude", reason: t("Choose its location") });
            const metres = Number(values.radius);
            if (!(metres >= SMALLEST_RADIUS && metres <= LARGEST_RADIUS)) {
                errors.push({ field: "radius", reason: t("Between 50 and 10,000 metres") });
            }
            if (errors.length > 0) throw { errors };
            const request = {
                name: values.name.trim(), kind: values.kind, radius: metres, ...spot.value,
            };
            if (place) request.geofence = place.geofence;
            else if (values.group) request.group = values.group;
            const answer = await app.call(place ? "geofence.update" : "geofence.create", request);
            app.say(t("{name} is saved.", { name: request.name }), "good");
            saved(answer.geofence);
        },
        after: h("button", { type: "button", class: "button wide", onclick: cancelled }, t("Cancel")),
    });
    return {
        element,
        focus: () => name.input.focus({ preventScroll: true }),
        begin: () => draw(),
        end: () => circle.remove(),
    };
}

/// Its location: a point pressed on the map, or my position.
function makeSpot(app, place, changed) {
    let value = place ? { latitude: place.latitude, longitude: place.longitude } : null;
    const words = h("p", { class: "small muted", role: "status" });
    const error = h("p", { class: "error", id: "spot-error" });
    const setError = (text) => write(error, text);
    const set = (found) => {
        value = { latitude: found.latitude, longitude: found.longitude };
        setError("");
        describe();
        changed();
        app.sheet?.makeRoom();
        app.people.lookAt(value);
    };
    const describe = () => write(words, value ? coordinates(value, 4) : t("Not chosen yet."));
    const choose = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            const found = await app.choosePoint(t("Tap the map where the place is."));
            if (found) set(found);
        },
    }, icon("map", 20), t("Choose on the map"));
    const here = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            here.disabled = true;
            try {
                set(await geolocation.locate());
            } catch (problem) {
                setError(wordsOf(problem));
            }
            here.disabled = false;
        },
    }, icon("follow", 20), t("My current location"));
    describe();
    return {
        get value() { return value; },
        field: {
            name: "latitude", value: null, setError, input: choose,
            refuse: (reason) => setError(sentence(reason)),
            element: h("div", { class: "field", role: "group", "aria-label": t("Location") },
                h("span", { class: "label" }, t("Location")),
                h("div", { class: "row" }, choose, here), words, error),
        },
    };
}

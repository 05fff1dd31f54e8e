/// The form for a new journey: where to, until when, and who is told.

import { circle, circleMarker, layerGroup } from "/leaflet/leaflet.esm.js";

import { serverNow } from "./clock.js";
import { h, write } from "./dom.js";
import { makeField, sentence, showProblem } from "./form.js";
import { coordinates, duration, fieldTime, moment } from "./format.js";
import { icon } from "./icons.js";
import { geolocation } from "./geolocation.js";

const MINUTE_MS = 60_000;
const PROPOSED_MINUTES = [10, 20, 30, 45, 60, 90, 120];
const USUAL_MINUTES = 30;
/// In metres; the server's default.
const USUAL_RADIUS = 50;
/// How long the device may search for its position before the map is shown without it.
const NEAR_PATIENCE_MS = 3_000;

/// The form for a new journey; `done` is called when it has begun or the person has cancelled.
///
/// - Parameter destination: `{latitude,longitude,name?}`, if it is chosen already.
/// - Returns: `{element,end()}`.
export function makePlan(app, done, destination = null) {
    let point = null;
    const marks = layerGroup().addTo(app.map);
    const where = h("p", { class: "small muted", role: "status" }, "No destination yet.");
    const latitude = makeField({
        name: "destination.latitude", label: "Latitude", inputmode: "text", autocomplete: "off",
    });
    const longitude = makeField({
        name: "destination.longitude", label: "Longitude", inputmode: "text", autocomplete: "off",
    });
    const typed = h("details", null,
        h("summary", null, "Type coordinates"),
        h("div", { class: "pair" }, latitude.element, longitude.element));
    const name = makeField({
        name: "destination.name", label: "Name (optional)", maxlength: 64,
        value: [...(destination?.name ?? "")].slice(0, 64).join(""),
    });
    const when = makeWhen();
    const radius = makeField({
        name: "destination.radius", label: "Arrived within (metres)", type: "number", min: 1,
        max: 100_000, step: 1, value: String(USUAL_RADIUS), inputmode: "numeric",
    });
    const groups = makeGroups(app);
    const sends = makeField({
        name: "sends", type: "checkbox", checked: true,
        label: "Send my position from this device, until I switch it off",
    });
    sends.element.hidden = geolocation.isSending || app.store.state.me?.demo === true;
    const error = h("p", { class: "error", role: "alert" });
    const fields = [latitude, longitude, name, when.field, radius, groups.field];

    const setPoint = (found) => {
        point = found;
        latitude.input.value = found.latitude.toFixed(5);
        longitude.input.value = found.longitude.toFixed(5);
        latitude.setError("");
        longitude.setError("");
        write(error, "");
        draw();
    };
    const draw = () => {
        marks.clearLayers();
        if (!point) return write(where, "No destination yet.");
        write(where, `Destination: ${coordinates(point, 4)}`);
        const at = [point.latitude, point.longitude];
        const style = { className: "journey-goal", interactive: false };
        circle(at, { ...style, radius: Number(radius.value) || USUAL_RADIUS }).addTo(marks);
        circleMarker(at, { ...style, radius: 5 }).addTo(marks);
    };
    const readPoint = () => {
        const found = { latitude: degrees(latitude.value), longitude: degrees(longitude.value) };
        const isPoint = Math.abs(found.latitude) <= 90 && Math.abs(found.longitude) <= 180;
        point = isPoint ? found : null;
        draw();
    };
    latitude.input.addEventListener("input", readPoint);
    longitude.input.addEventListener("input", readPoint);
    radius.input.addEventListener("input", draw);

    const choose = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            // The map begins at the person's position, if that is known soon.
            await geolocation.locate({ patience: NEAR_PATIENCE_MS }).catch(() => {});
            const found = await app.choosePoint("Tap the map where you are going.");
            if (found) setPoint(found);
        },
    }, icon("map", 20), "Choose on the map");

    const start = async () => {
        for (const field of fields) field.setError("");
        readPoint();
        const problem = { errors: [] };
        if (!point) {
            if (latitude.value || longitude.value) {
                problem.errors.push({
                    field: "destination.latitude",
                    reason: "Latitude and longitude are degrees, such as 46.05 and 14.51",
                });
                typed.open = true;
            } else {
                write(error, "Choose where you are going.");
                choose.focus();
                return;
            }
        }
        const eta = when.eta();
        if (!(eta > serverNow())) {
            problem.errors.push({ field: "eta", reason: "Choose a time that lies ahead" });
        }
        if (groups.chosen().length === 0) {
            problem.errors.push({ field: "groups", reason: "Choose at least one" });
        }
        if (problem.errors.length > 0) throw problem;
        if (sends.value && !geolocation.isSending) geolocation.start();
        await app.call("journey.start", {
            groups: groups.chosen(),
            destination: {
                ...point,
                ...(name.value.trim() ? { name: name.value.trim() } : {}),
                ...(Number(radius.value) > 0 ? { radius: Number(radius.value) } : {}),
            },
            eta: new Date(eta).toISOString(),
        });
        app.say(`Your groups expect you at ${moment(eta)}.`, "good");
        done();
    };
    const submit = h("button", { type: "submit", class: "button primary" }, "Start");
    const element = h("form", {
        class: "stack", novalidate: true, "aria-label": "Start a journey",
        onsubmit: async (event) => {
            event.preventDefault();
            submit.disabled = true;
            write(error, "");
            try {
                await start();
            } catch (problem) {
                showProblem(problem, fields, error);
            }
            submit.disabled = false;
        },
    },
        h("h2", null, "Start a journey"),
        h("p", { class: "small muted" },
            "Your group sees where you go, and is told when you arrive, or do not in time."),
        choose, where, typed, name.element, when.element, groups.element,
        h("details", null, h("summary", null, "More"), radius.element),
        sends.element, error,
        h("div", { class: "row" }, submit,
            h("button", { type: "button", class: "button", onclick: done }, "Cancel")));
    if (destination) {
        setPoint({ latitude: destination.latitude, longitude: destination.longitude });
        app.people.showArea(destination);
    }
    return { element, end: () => marks.remove() };
}

/// The time of arrival: in some minutes, or at a given time.
function makeWhen() {
    const select = h("select", { id: "journey-when", onchange: () => show() },
        PROPOSED_MINUTES.map((minutes) => h("option", { value: String(minutes) },
            `in ${duration(minutes * MINUTE_MS)}`)),
        h("option", { value: "at" }, "at a time…"));
    select.value = String(USUAL_MINUTES);
    const field = makeField({ name: "eta", label: "Time of arrival", type: "datetime-local" });
    const show = () => {
        field.input.hidden = select.value !== "at";
        field.element.querySelector("label").hidden = select.value !== "at";
        field.input.value ||= fieldTime(Date.now() + 2 * USUAL_MINUTES * MINUTE_MS);
    };
    show();
    return {
        field,
        element: h("div", { class: "stack tight" },
            h("div", { class: "field" },
                h("label", { for: "journey-when" }, "I arrive"), select),
            field.element),
        eta() {
            if (select.value !== "at") return serverNow() + Number(select.value) * MINUTE_MS;
            return field.value ? new Date(field.value).getTime() : NaN;
        },
    };
}

function makeGroups(app) {
    const { groups, group: chosen } = app.store.state;
    const boxes = [...groups.values()].map(({ group, name }) => {
        const input = h("input", { type: "checkbox", value: group, checked: group === chosen });
        return { input, label: h("label", { class: "check" }, input, h("span", null, name)) };
    });
    const error = h("p", { class: "error", id: "journey-groups-error" });
    const element = h("fieldset", { "aria-describedby": error.id },
        h("legend", null, "Shown to"), boxes.map((box) => box.label), error);
    return {
        element,
        field: {
            name: "groups", setError: (text) => write(error, text),
            refuse: (reason) => write(error, sentence(reason)),
            input: boxes[0]?.input ?? element,
        },
        chosen: () => boxes.filter((box) => box.input.checked).map((box) => box.input.value),
    };
}

/// Parses a number with a decimal point or comma.
function degrees(text) {
    const words = text.trim().replace(",", ".");
    return words === "" ? NaN : Number(words);
}

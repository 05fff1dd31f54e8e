/// Organising a run: its facts, and its course, drawn on the map or read from a GPX file.

import * as L from "/leaflet/leaflet.esm.js";
import { call } from "../api.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { makeChoice, makeField, makeForm, problemText, sentence, showProblem } from "../form.js";
import { distance, fieldTime } from "../format.js";
import { t, tx } from "../language.js";
import { makeMap } from "../map/base.js";
import { store } from "../store.js";
import { lengthOf } from "./course.js";
import { DAY_MS } from "../units.js";

const DRAW_ZOOM = 15;

/// - Parameter id: the run to change; null: a new one.
export function mountOrganise(place, id) {
    document.title = t("Organise a run – Kith");
    const panel = h("div", { class: "panel column run-organise" });
    replace(place, panel);
    let map = null;
    start();

    async function start() {
        if (!store.state.me) {
            replace(panel, h("h1", null, t("Organise a run")), h("p", null,
                tx("To do this, {link} first.", {
                    link: h("a", { href: "/" }, t("log in or create an account")),
                })));
            return;
        }
        try {
            const run = id ? (await call("run.get", { run: id })).run : null;
            form(run);
        } catch (problem) {
            replace(panel, h("p", { class: "error" }, problemText(problem)));
        }
    }

    function form(run) {
        const isNew = run === null;
        const hasBegun = run && run.status !== "announced";
        const soon = new Date(Date.now() + 14 * DAY_MS).setHours(10, 0, 0, 0);
        const at = (time, fallback) => fieldTime(time ? Date.parse(time) : fallback);
        const fields = {
            organiser: makeField({ name: "organiser", label: t("Organiser"), maxlength: 64 }),
            acceptTerms: makeField({
                name: "acceptTerms", type: "checkbox",
                label: t("I accept the terms for organisers: I am allowed to hold this run, and look "
                    + "after the participants"),
            }),
            name: makeField({ name: "name", label: t("Name"), maxlength: 64, value: run?.name ?? "" }),
            place: makeField({
                name: "place", label: t("Place"), maxlength: 64, value: run?.place.name ?? "",
                hint: t("As people would search for it, such as the town."),
            }),
            startsAt: makeField({
                name: "startsAt", label: t("Start"), type: "datetime-local",
                value: at(run?.startsAt, soon),
            }),
            enrolmentClosesAt: makeField({
                name: "enrolmentClosesAt", label: t("Enrolment closes"), type: "datetime-local",
                value: at(run?.enrolmentClosesAt, soon - DAY_MS),
            }),
            endsAt: makeField({
                name: "endsAt", label: t("Ends"), type: "datetime-local",
                value: at(run?.endsAt, soon + DAY_MS / 4),
                hint: t("From then on no one is shown."),
            }),
            maxParticipants: makeField({
                name: "maxParticipants", label: t("Maximum number of runners"), type: "number", min: 1,
                value: run?.maxParticipants ?? "", hint: t("Leave empty for no limit."),
            }),
            laps: makeField({
                name: "laps", label: t("Laps"), type: "number", min: 1, value: run?.laps ?? 1,
            }),
            checkpoints: makeField({
                name: "checkpoints", label: t("Checkpoints"),
                value: (run?.checkpoints ?? []).join(", "),
                hint: t("Metres from the start of each lap, in order: 500, 1200. Runners who miss one "
                    + "are not ranked. If left empty, a course that ends where it begins has three in "
                    + "each lap."),
            }),
            rankedBy: makeChoice("rankedBy", t("Ranked by"), [
                ["own", t("each runner's time from the start line")],
                ["gun", t("the time from the gun, the same for all")],
            ]),
        };
        fields.rankedBy.input.value = run?.rankedBy ?? "own";
        const closing = fields.enrolmentClosesAt.value;
        const drawing = makeDrawing(run);
        map = drawing.map;
        const shown = hasBegun
            ? [fields.laps, fields.checkpoints]
            : Object.values(fields).filter((field) => isNew
                || ![fields.organiser, fields.acceptTerms].includes(field));
        const element = makeForm({
            fields: [...shown, drawing.field], button: isNew ? t("Create the run") : t("Save"),
            async submit(values) {
                if (isNew) await accept(values);
                const { run: saved } = await call(isNew ? "run.create" : "run.edit",
                    details(values, drawing.course(), run, hasBegun, closing));
                location.hash = saved.run;
            },
        });
        replace(panel, h("h1", null, isNew ? t("Organise a run") : t("Change {name}", { name: run.name })),
            hasBegun ? h("p", { class: "muted" }, t("It has started: only its course can be changed now. "
                + "Ranks are recalculated.")) : null,
            element, isNew ? null : endings(run));
        drawing.fit();
    }

    /// Both are rejected together, or neither.
    async function accept(values) {
        try {
            await call("run.organise", {
                name: values.organiser.trim(), acceptTerms: values.acceptTerms,
            });
        } catch (problem) {
            for (const error of problem.errors ?? []) {
                if (error.field === "name") error.field = "organiser";
            }
            throw problem;
        }
    }

    function endings(run) {
        const error = h("p", { class: "error", role: "alert" });
        const press = (word, method, title, text) => h("button", {
            type: "button", class: "button danger quiet",
            onclick: async () => {
                if (!await ask({ title, text, yes: word, danger: true })) return;
                try {
                    await call(method, { run: id });
                    location.hash = id;
                } catch (problem) {
                    showProblem(problem, [], error);
                }
            },
        }, word);
        return [
            run.status === "announced" ? press(t("Cancel the run"), "run.cancel", t("Cancel the run?"),
                t("All participants will be notified. This can't be undone.")) : null,
            run.status === "on" ? press(t("End the run"), "run.end", t("End the run now?"),
                t("Runners are no longer shown. Those who have not finished count as not finished.")) : null,
            h("a", { class: "button", href: `#${id}/display` }, t("Show it on a large screen")), error,
        ];
    }

    return () => map?.remove();
}

/// - Parameter closing: the original value of the enrolment end: unchanged, it may be past.
function details(values, course, run, hasBegun, closing) {
    const time = (text) => (text ? new Date(text).toISOString() : undefined);
    const checkpoints = values.checkpoints.split(/[,;\s]+/).filter(Boolean).map(Number);
    const always = {
        run: run?.run, laps: Number(values.laps) || 1, checkpoints, course: course ?? undefined,
    };
    if (hasBegun) return always;
    const start = course?.coordinates[0] ?? run?.course.coordinates[0] ?? [0, 0];
    return {
        ...always, name: values.name, endsAt: time(values.endsAt),
        place: { name: values.place, latitude: start[1], longitude: start[0] },
        startsAt: time(values.startsAt),
        enrolmentClosesAt: run && values.enrolmentClosesAt === closing
            ? undefined : time(values.enrolmentClosesAt),
        maxParticipants: Number(values.maxParticipants) || undefined, rankedBy: values.rankedBy,
    };
}

/// The course as a field of the form: corners are set by pressing the map.
function makeDrawing(run) {
    const area = h("div", { class: "map", role: "application", "aria-label": t("Map for the course") });
    const error = h("p", { class: "error" });
    const length = h("p", { class: "small muted", role: "status" });
    let points = run ? run.course.coordinates.map((place) => [place[1], place[0], place[2]]) : [];
    let isChanged = false;
    const file = h("input", {
        type: "file", accept: ".gpx,application/gpx+xml", "aria-label": t("GPX file with the course"),
        onchange: readFile,
    });
    const press = (word, work) =>
        h("button", { type: "button", class: "button", onclick: work }, word);
    const element = h("div", { class: "field" },
        h("span", { class: "label" }, t("Course")),
        h("p", { class: "hint" }, t("Press each corner on the map, from start to finish, or choose a GPX file.")),
        area,
        h("div", { class: "row" },
            press(t("Add the centre point"), () => add(map.getCenter())),
            press(t("Undo"), () => change(points.slice(0, -1))),
            press(t("Clear"), () => change([]))),
        file, length, error);
    const map = makeMap(area);
    map.on("click", ({ latlng }) => add(latlng));
    const line = L.polyline([], { color: "#0d6657", weight: 5, interactive: false }).addTo(map);
    const start = L.circleMarker([0, 0], { radius: 6, interactive: false });

    function add(latlng) {
        const { lat, lng } = latlng.wrap();
        change([...points, [lat, lng]]);
    }

    function change(next) {
        points = next;
        isChanged = true;
        draw();
    }

    function draw() {
        line.setLatLngs(points.map(([latitude, longitude]) => [latitude, longitude]));
        if (points.length) start.setLatLng(points[0]).addTo(map);
        else start.remove();
        write(length, points.length < 2 ? "" : t("{distance} a lap", { distance: distance(lengthOf(points)) }));
        write(error, "");
    }

    async function readFile() {
        const [chosen] = file.files;
        if (!chosen) return;
        try {
            const response = await fetch("/api/course", {
                method: "POST", body: chosen, credentials: "same-origin",
                headers: { "Content-Type": "application/gpx+xml", "Kith-User": store.state.me.user },
            });
            const answer = await response.json();
            if (!response.ok) throw new Error(answer.detail ?? answer.title);
            change(answer.coordinates.map(([longitude, latitude, height]) =>
                [latitude, longitude, height]));
            fit();
        } catch (problem) {
            write(error, problem.message || t("The file cannot be read."));
        } finally {
            file.value = "";
        }
    }

    function fit() {
        map.invalidateSize({ animate: false });
        if (points.length > 1) map.fitBounds(line.getBounds(), { padding: [30, 30] });
        else if (store.state.position) {
            const { latitude, longitude } = store.state.position;
            map.setView([latitude, longitude], DRAW_ZOOM);
        }
    }

    draw();
    return {
        map, fit,
        /// As GeoJSON; null if unchanged.
        course: () => (run && !isChanged ? null : {
            type: "LineString",
            coordinates: points.map(([latitude, longitude, height]) =>
                (height === undefined ? [longitude, latitude] : [longitude, latitude, height])),
        }),
        field: {
            name: "course", element, input: area, value: null,
            setError: (text) => write(error, text),
            refuse: (reason) => write(error, t("The course: {reason}", { reason: sentence(reason) })),
        },
    };
}

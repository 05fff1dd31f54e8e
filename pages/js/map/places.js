/// Places on the map: the organisation's places in the visible area, and personal places; a box
/// names a place and links to its page.

import * as L from "/leaflet/leaflet.esm.js";
import { h, toggle } from "../dom.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { onChange } from "../places/changes.js";
import { loadOwn } from "../places/own-data.js";
import { readStored, writeStored } from "../storage.js";
import { isLive, store } from "../store.js";
import { makeBox, makeCircle, makePin } from "./place-marks.js";

const SHOWN_KEY = "kith.places";
/// More would only cover each other and the map.
const MOST = 150;
/// At this zoom or less they would all overlap.
const COARSE_ZOOM = 10;
/// The map may still be moving.
const PAUSE_MS = 300;
/// The maximum that `place.list` accepts, in metres.
const FARTHEST_M = 20_000_000;
const TICK_MS = 15_000;

export function makePlaces(app, area) {
    const { map } = app;
    const layer = L.layerGroup();
    const pins = makeMarks((place) => makePin(layer, () => select(place.place)),
        ({ place }) => place);
    const circles = makeMarks(() => makeCircle(layer), ({ geofence }) => geofence);
    const box = makeBox(() => select(null));
    const button = h("button", {
        type: "button", class: "button map-switch", hidden: true,
        onclick: () => {
            writeStored(SHOWN_KEY, !isWanted());
            update();
        },
    }, icon("pin", 20), h("span", { class: "map-switch-word" }, t("Places")));
    area.append(button, box.element);

    let view = "";
    let query = {};
    let found = [];
    /// The place with the box, and the one whose page is shown.
    let selected = null;
    let shown = null;
    let turn = 0;
    let timer = null;
    let wasLive = isLive();

    const isWanted = () => readStored(SHOWN_KEY) === true;
    const isOn = () => view === "places" || (view === "map" && isWanted());

    function update() {
        button.hidden = view !== "map";
        toggle(button, "aria-pressed", String(isWanted()));
        selected = null;
        if (isOn()) {
            layer.addTo(map);
            load();
            loadOwn(app.call).catch(() => {});
        } else {
            layer.remove();
        }
        draw();
    }

    function loadSoon() {
        clearTimeout(timer);
        timer = setTimeout(load, PAUSE_MS);
    }

    /// The shown places stay if the server does not respond.
    async function load() {
        clearTimeout(timer);
        if (!isOn()) return;
        const mine = (turn += 1);
        if (map.getZoom() <= COARSE_ZOOM) {
            found = [];
            draw();
            return;
        }
        const { lat, lng } = map.getCenter().wrap();
        const corner = map.distance(map.getCenter(), map.getBounds().getNorthEast());
        const request = {
            ...(view === "places" ? query : {}), near: { latitude: lat, longitude: lng },
            radius: Math.min(FARTHEST_M, Math.max(1, Math.ceil(corner))),
        };
        const places = [];
        try {
            do {
                const page = await app.call("place.list", request);
                if (mine !== turn) return;
                places.push(...page.places);
                request.after = page.next;
            } while (request.after && places.length < MOST);
        } catch {
            return;
        }
        found = places.slice(0, MOST);
        draw();
    }

    function drawCircles() {
        const { geofences, rules } = store.state;
        // Including places where others want to be notified about me.
        const all = [...(rules ?? []).map((rule) => rule.geofence), ...(geofences ?? [])];
        circles.show(isOn() ? [...new Map(all.map((each) => [each.geofence, each])).values()] : []);
    }

    function draw() {
        const all = new Map([shown, selected, ...found].filter(Boolean)
            .map((place) => [place.place, place]));
        selected = selected && all.get(selected.place);
        const marked = (selected ?? shown)?.place;
        pins.show([...all.values()].map((place) => ({ ...place, isMarked: place.place === marked })));
        drawCircles();
        box.show(selected);
    }

    function select(id) {
        selected = found.find(({ place }) => place === id) ?? null;
        if (selected) app.shownSheet?.makeRoom();
        draw();
        if (selected) box.focus();
    }

    const unlisten = onChange(({ geofences, rules }) => [geofences, rules], () => {
        drawCircles();
        if (isLive() && !wasLive) loadSoon();
        wasLive = isLive();
    });
    const ticker = setInterval(() => box.show(selected), TICK_MS);
    map.on("moveend", loadSoon);

    return {
        /// Sets the shown view: the places view always has them on its map.
        setView(name) {
            if (name === view) return;
            view = name;
            update();
        },
        /// Shows only the places searched for in the list: `{text?,open?}`.
        search(words) {
            query = words;
            load();
        },
        /// Marks the place whose page is shown; null: none.
        mark(place) {
            shown = place;
            selected = null;
            draw();
        },
        remove() {
            clearTimeout(timer);
            clearInterval(ticker);
            unlisten();
            layer.remove();
        },
    };
}

/// Keeps marks on the map in step with their items; `make(item)` returns `{update(item),remove()}`.
function makeMarks(make, keyOf) {
    const marks = new Map();
    return {
        show(items) {
            const keys = new Set(items.map(keyOf));
            for (const [key, mark] of marks) {
                if (keys.has(key)) continue;
                mark.remove();
                marks.delete(key);
            }
            for (const item of items) {
                const key = keyOf(item);
                if (!marks.has(key)) marks.set(key, make(item));
                marks.get(key).update(item);
            }
        },
    };
}

/// The map that all views share: tiles if there are any, else a graticule; scale; controls.

import * as L from "/leaflet/leaflet.esm.js";
import { h, replace } from "../dom.js";
import { usesMiles } from "../format.js";
import { store } from "../store.js";
import { attribution } from "./attribution.js";
import { Graticule } from "./graticule.js";

const NOWHERE = [30, 8];
const FIRST_ZOOM = 3;
const LARGEST_ZOOM = 19;
/// The number of consecutive tiles that must fail before the graticule is shown; a single one may
/// just be missing.
const FAILURES_TOLD = 3;
const TRY_AGAIN_MS = 30_000;
/// A missing tile is transparent instead of a broken image.
const NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

export function makeMap(element) {
    const map = L.map(element, {
        zoomControl: false,
        attributionControl: false,
        minZoom: 2,
        maxZoom: LARGEST_ZOOM,
        worldCopyJump: true,
        zoomSnap: 0.5,
        fadeAnimation: !reducesMotion(),
        zoomAnimation: !reducesMotion(),
        markerZoomAnimation: !reducesMotion(),
    }).setView(NOWHERE, FIRST_ZOOM);
    L.control.zoom({ position: "topright" }).addTo(map);
    L.control.scale({
        position: "bottomleft", metric: !usesMiles, imperial: usesMiles, maxWidth: 110,
    }).addTo(map);

    const note = h("p", { class: "map-note", role: "status", hidden: true });
    const credit = h("p", { class: "map-credit", hidden: true });
    element.append(note, credit);

    const graticule = new Graticule();
    let tiles = null;
    let failed = 0;
    let timer = null;

    function showGraticule(word) {
        if (!map.hasLayer(graticule)) graticule.addTo(map);
        note.textContent = word;
        note.hidden = !word;
    }

    function hideGraticule() {
        graticule.remove();
        note.hidden = true;
    }

    function useTiles({ url, attribution: words, maximumZoom }) {
        tiles = L.tileLayer(url, {
            maxZoom: LARGEST_ZOOM,
            maxNativeZoom: maximumZoom ?? LARGEST_ZOOM,
            errorTileUrl: NOTHING,
        });
        tiles.on("tileerror", () => {
            failed += 1;
            if (failed < FAILURES_TOLD) return;
            showGraticule("Map tiles cannot be loaded. Positions are right all the same.");
            timer ??= setInterval(() => tiles.redraw(), TRY_AGAIN_MS);
        });
        tiles.on("tileload", (event) => {
            if (event.tile.src.startsWith("data:")) return;
            failed = 0;
            clearInterval(timer);
            timer = null;
            hideGraticule();
        });
        tiles.addTo(map);
        replace(credit, attribution(words));
        credit.hidden = !words;
    }

    // Until the server has answered, show the graticule; tiles cover it when they come.
    showGraticule("");
    let isDecided = false;
    const decide = ({ config }) => {
        if (isDecided || !config) return;
        isDecided = true;
        if (config.tiles?.url) useTiles(config.tiles);
        else showGraticule("No map tiles are set up.");
    };
    const unlisten = store.listen(decide);
    decide(store.state);

    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }));
    observer.observe(element);
    map.on("unload", () => {
        unlisten();
        observer.disconnect();
        clearInterval(timer);
    });
    return map;
}

export function reducesMotion() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

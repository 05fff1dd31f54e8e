/// The map that all views share: the world, with tiles over it if there are any; scale; controls.

import * as L from "/leaflet/leaflet.esm.js";
import { h, replace, write } from "../dom.js";
import { usesMiles } from "../format.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { attribution } from "./attribution.js";
import { Graticule } from "./graticule.js";
import { Tiles } from "./tiles.js";
import { DETAIL_ENDS, WorldLayer } from "./world.js";

const NOWHERE = [30, 8];
const FIRST_ZOOM = 3;
const LARGEST_ZOOM = 19;
/// The map is soon moved to the people: the world at its first view need not be loaded.
const WORLD_WAITS_MS = 1_200;

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
    L.control.zoom({
        position: "topright", zoomInTitle: t("Zoom in"), zoomOutTitle: t("Zoom out"),
    }).addTo(map);
    L.control.scale({
        position: "bottomleft", metric: !usesMiles, imperial: usesMiles, maxWidth: 110,
    }).addTo(map);

    const note = h("p", { class: "map-note", role: "status", hidden: true });
    const credit = h("p", { class: "map-credit", hidden: true });
    element.append(note, credit);

    const world = new WorldLayer();
    let isWorldAwaited = true;
    const graticule = new Graticule();
    let tiles = null;
    let isDecided = false;

    /// The visible map data, and its authors.
    function show() {
        const hasTiles = Boolean(tiles?.cover(map)) && !tiles.isFailing;
        // It would be hidden completely.
        if (hasTiles && tiles.fill(map)) world.remove();
        else if (!isWorldAwaited) world.addTo(map);
        const isBeyond = Math.round(map.getZoom()) > DETAIL_ENDS;
        if (isDecided && !hasTiles && isBeyond) graticule.addTo(map);
        else graticule.remove();
        element.classList.toggle("beyond-world", isBeyond);
        const words = tiles?.isFailing && tiles.cover(map)
            ? t("Map tiles cannot be loaded. Positions are still correct.")
            : isDecided && !hasTiles && isBeyond ? t("No street map for this area.") : "";
        write(note, words);
        note.hidden = !words;
        const owners = hasTiles ? tiles.credit : t("Made with Natural Earth · © GeoNames");
        if (credit.dataset.owners === owners) return;
        credit.dataset.owners = owners;
        replace(credit, attribution(owners));
        credit.hidden = !owners;
    }

    const decide = ({ config }) => {
        if (isDecided || !config) return;
        isDecided = true;
        if (config.tiles?.url) tiles = new Tiles(config.tiles, show).addTo(map);
        show();
    };
    const unlisten = store.listen(decide);
    decide(store.state);
    map.on("zoomend moveend", show);
    const begin = () => {
        clearTimeout(begun);
        isWorldAwaited = false;
        show();
    };
    const begun = setTimeout(begin, WORLD_WAITS_MS);
    map.once("zoomend", begin);
    show();

    const observer = new ResizeObserver(() => map.invalidateSize({ animate: false }));
    observer.observe(element);
    map.on("unload", () => {
        unlisten();
        observer.disconnect();
        clearTimeout(begun);
        tiles?.end();
    });
    return map;
}

export function reducesMotion() {
    return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

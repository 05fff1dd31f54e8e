/// The tiles configured by the server, its own or from elsewhere, and whether they can be loaded.

import * as L from "/leaflet/leaflet.esm.js";

const LARGEST_ZOOM = 19;
/// The number of consecutive tiles that must fail before it is reported; a single one may just be
/// missing.
const FAILURES_TOLD = 3;
const TRY_AGAIN_MS = 30_000;
/// A missing tile is transparent instead of a broken image.
const NOTHING = "data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==";

export class Tiles {
    #layer;
    #changed;
    #minimumZoom;
    #bounds;
    #isOwn;
    #failed = 0;
    #timer = null;

    /// Whether loading them has failed several times.
    isFailing = false;

    /// `config`: as in `/config.json`. `changed` is called when `isFailing` changes.
    constructor({ url, attribution, minimumZoom, maximumZoom, bounds }, changed) {
        this.#changed = changed;
        this.credit = attribution ?? "";
        this.#minimumZoom = minimumZoom ?? 0;
        this.#isOwn = url.startsWith("/");
        if (bounds) {
            const [west, south, east, north] = bounds;
            this.#bounds = L.latLngBounds([south, west], [north, east]);
        }
        this.#layer = L.tileLayer(url, {
            minZoom: this.#minimumZoom,
            maxZoom: LARGEST_ZOOM,
            maxNativeZoom: maximumZoom ?? LARGEST_ZOOM,
            bounds: this.#bounds,
            errorTileUrl: NOTHING,
        });
        this.#layer.on("tileerror", ({ coords }) => this.#lost(coords));
        this.#layer.on("tileload", ({ tile }) => {
            if (!tile.src.startsWith("data:")) this.#found();
        });
    }

    addTo(map) {
        this.#layer.addTo(map);
        return this;
    }

    end() {
        clearInterval(this.#timer);
    }

    /// Whether they cover the middle of the map.
    cover(map) {
        return Math.round(map.getZoom()) >= this.#minimumZoom
            && (this.#bounds?.contains(map.getCenter().wrap()) ?? true);
    }

    /// Whether they cover the whole visible map, given that they `cover` its middle.
    fill(map) {
        return this.#bounds?.contains(map.getBounds()) ?? true;
    }

    async #lost(coords) {
        // Our own server reports which tiles its map lacks.
        if (this.#isOwn && await isMissing(this.#layer.getTileUrl(coords))) return;
        this.#failed += 1;
        if (this.#failed < FAILURES_TOLD) return;
        this.#timer ??= setInterval(() => this.#layer.redraw(), TRY_AGAIN_MS);
        if (this.isFailing) return;
        this.isFailing = true;
        this.#changed();
    }

    #found() {
        this.#failed = 0;
        clearInterval(this.#timer);
        this.#timer = null;
        if (!this.isFailing) return;
        this.isFailing = false;
        this.#changed();
    }
}

async function isMissing(address) {
    try {
        return (await fetch(address, { method: "HEAD" })).status === 204;
    } catch {
        return false;
    }
}

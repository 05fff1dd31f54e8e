/// Numbered lines of latitude and longitude: shown without tiles at zooms beyond the world's
/// detail.

import * as L from "/leaflet/leaflet.esm.js";
import { degrees } from "../format.js";
import { MERCATOR_END } from "./world-data.js";

const STEPS = [
    0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15,
    30, 45, 90,
];
const LEAST_GAP = 110;
const PARTS = 5;

export const Graticule = L.Layer.extend({
    onAdd(map) {
        const pane = map.getPane("graticule") ?? map.createPane("graticule");
        pane.style.zIndex = 110;
        pane.style.pointerEvents = "none";
        this._canvas = L.DomUtil.create("canvas", "graticule leaflet-zoom-animated", pane);
        this._canvas.setAttribute("aria-hidden", "true");
        this._dark = window.matchMedia("(prefers-color-scheme: dark)");
        this._redraw = () => this._draw();
        this._dark.addEventListener("change", this._redraw);
        this._draw();
    },

    onRemove() {
        this._dark.removeEventListener("change", this._redraw);
        this._canvas.remove();
    },

    getEvents() {
        return {
            move: this._draw, viewreset: this._draw, resize: this._draw, zoomanim: this._zoom,
        };
    },

    /// Stretches the old picture while the map zooms.
    _zoom(event) {
        const map = this._map;
        const scale = map.getZoomScale(event.zoom);
        const corner = map
            ._latLngBoundsToNewLayerBounds(map.getBounds(), event.zoom, event.center).min;
        L.DomUtil.setTransform(this._canvas, corner, scale);
    },

    _draw() {
        const map = this._map;
        const { x: width, y: height } = map.getSize();
        const canvas = this._canvas;
        const ratio = window.devicePixelRatio || 1;
        if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
            canvas.width = width * ratio;
            canvas.height = height * ratio;
            canvas.style.width = `${width}px`;
            canvas.style.height = `${height}px`;
        }
        L.DomUtil.setPosition(canvas, map.containerPointToLayerPoint([0, 0]));
        const context = canvas.getContext("2d");
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.clearRect(0, 0, width, height);
        const style = getComputedStyle(canvas);
        const colours = {
            minor: style.getPropertyValue("--grid-minor"),
            major: style.getPropertyValue("--grid-major"),
            text: style.getPropertyValue("--grid-text"),
            halo: style.getPropertyValue("--grid-halo"),
            font: style.fontFamily,
        };
        const x = (longitude) => map.latLngToContainerPoint([0, longitude]).x;
        const y = (latitude) => map.latLngToContainerPoint([latitude, 0]).y;
        const centre = map.getCenter();
        const pixels = x(centre.lng + 1) - x(centre.lng);
        const stretch = Math.cos(centre.lat * Math.PI / 180);
        const bounds = map.getBounds();
        const meridians = lines(bounds.getWest(), bounds.getEast(), pixels, x);
        const parallels = lines(
            Math.max(-MERCATOR_END, bounds.getSouth()), Math.min(MERCATOR_END, bounds.getNorth()),
            pixels / stretch, y);
        for (const isMajor of [false, true]) {
            context.beginPath();
            for (const line of meridians.filter((each) => each.isMajor === isMajor)) {
                context.moveTo(line.at, 0);
                context.lineTo(line.at, height);
            }
            for (const line of parallels.filter((each) => each.isMajor === isMajor)) {
                context.moveTo(0, line.at);
                context.lineTo(width, line.at);
            }
            context.strokeStyle = isMajor ? colours.major : colours.minor;
            context.lineWidth = 1;
            context.stroke();
        }
        write(context, colours, meridians, parallels, width, height);
    },
});

function lines(from, to, pixels, place) {
    const step = STEPS.find((each) => each * pixels >= LEAST_GAP) ?? STEPS.at(-1);
    const part = step / PARTS;
    const found = [];
    for (let n = Math.ceil(from / part); n * part <= to; n += 1) {
        found.push({
            at: Math.round(place(n * part)) + 0.5,
            value: n * part,
            isMajor: n % PARTS === 0,
            digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
        });
    }
    return found;
}

function write(context, colours, meridians, parallels, width, height) {
    context.font = `12px ${colours.font}`;
    context.lineWidth = 4;
    context.lineJoin = "round";
    context.strokeStyle = colours.halo;
    context.fillStyle = colours.text;
    const put = (text, x, y) => {
        context.strokeText(text, x, y);
        context.fillText(text, x, y);
    };
    context.textBaseline = "top";
    context.textAlign = "left";
    for (const line of meridians) {
        if (!line.isMajor || line.at < 60 || line.at > width - 120) continue;
        const turned = ((line.value + 540) % 360 + 360) % 360 - 180;
        put(degrees(turned, "E", "W", line.digits), line.at + 4, 6);
    }
    context.textBaseline = "bottom";
    for (const line of parallels) {
        if (!line.isMajor || line.at < 40 || line.at > height - 6) continue;
        put(degrees(line.value, "N", "S", line.digits), 6, line.at - 2);
    }
}

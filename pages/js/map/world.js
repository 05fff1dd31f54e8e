/// The world without tiles: land, lakes, rivers, borders, urban areas, cities. Drawn once
/// for each tile, on a canvas that moves and zooms with the map.

import * as L from "/leaflet/leaflet.esm.js";
import { UNIT_ZOOM, citiesFor, shapesFor } from "./world-data.js";

const TILE = 256;
/// Closer, coasts and rivers would be drawn far from where they are.
export const DETAIL_ENDS = 11;
const SHARPEST = 2;
/// How far left of a tile a name can begin.
const NAME_WIDTH = 190;
const COLOURS = [
    "water", "land", "coast", "urban", "river", "border", "state", "city", "halo",
];

export const WorldLayer = L.GridLayer.extend({
    options: {
        pane: "world", minZoom: 0, maxZoom: 19, updateWhenZooming: false, keepBuffer: 2,
    },

    onAdd(map) {
        const pane = map.getPane("world") ?? map.createPane("world");
        pane.style.zIndex = 120;
        pane.style.pointerEvents = "none";
        this._dark = window.matchMedia("(prefers-color-scheme: dark)");
        this._recolour = () => {
            this._colours = null;
            this.redraw();
        };
        this._dark.addEventListener("change", this._recolour);
        L.GridLayer.prototype.onAdd.call(this, map);
    },

    onRemove(map) {
        this._dark.removeEventListener("change", this._recolour);
        L.GridLayer.prototype.onRemove.call(this, map);
    },

    createTile(coords, done) {
        const canvas = document.createElement("canvas");
        const sharpness = Math.min(SHARPEST, window.devicePixelRatio || 1);
        canvas.width = canvas.height = TILE * sharpness;
        canvas.setAttribute("aria-hidden", "true");
        this._draw(canvas, coords, sharpness).then(() => done(null, canvas), (error) => {
            done(error, canvas);
        });
        return canvas;
    },

    async _draw(canvas, coords, sharpness) {
        this._colours ??= colours(this._map.getContainer());
        const around = { west: NAME_WIDTH, other: 20 };
        const scale = 2 ** (coords.z - UNIT_ZOOM);
        const [parts, cities] = await Promise.all([
            coords.z > DETAIL_ENDS ? [] : shapesFor(coords.z, boundsOf(coords)),
            citiesFor(coords.z, boundsOf(coords, around)).catch(() => []),
        ]);
        const shapes = parts.map((part) => seen(part, coords, scale));
        const context = canvas.getContext("2d");
        const colour = this._colours;
        // Beyond the zoom of the shapes, names are drawn on whatever is below.
        if (coords.z <= DETAIL_ENDS) {
            context.fillStyle = colour.water;
            context.fillRect(0, 0, canvas.width, canvas.height);
        }
        const place = () => context.setTransform(
            sharpness * scale, 0, 0, sharpness * scale,
            -coords.x * TILE * sharpness, -coords.y * TILE * sharpness);
        place();
        for (const part of shapes) areas(context, part, colour, coords.z, scale);
        for (const part of shapes) lines(context, part, colour, coords.z, scale);
        context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
        names(context, cities, colour, coords, scale);
    },
});

function colours(element) {
    const style = getComputedStyle(element);
    const found = { font: style.fontFamily };
    for (const name of COLOURS) found[name] = style.getPropertyValue(`--world-${name}`);
    return found;
}

/// In degrees, and some pixels more on each side.
function boundsOf({ x, y, z }, { west = 0, other = 0 } = {}) {
    const side = TILE * 2 ** z;
    const longitude = (pixel) => pixel / side * 360 - 180;
    const latitude = (pixel) => {
        const turn = Math.PI * (1 - 2 * pixel / side);
        return Math.atan(Math.sinh(turn)) * 180 / Math.PI;
    };
    return {
        west: longitude(x * TILE - west), east: longitude((x + 1) * TILE + other),
        north: latitude(y * TILE - other), south: latitude((y + 1) * TILE + other),
    };
}

function areas(context, part, colour, zoom, scale) {
    const fill = (shapes, style) => {
        context.fillStyle = style;
        for (const { path } of shapes ?? []) context.fill(path, "evenodd");
    };
    const outline = (shapes, width) => {
        context.strokeStyle = colour.coast;
        context.lineWidth = width / scale;
        context.lineJoin = "round";
        for (const { edge } of shapes ?? []) context.stroke(edge);
    };
    fill(part.land, colour.land);
    if (zoom >= 6) fill(part.urban, colour.urban);
    fill(part.lakes, colour.water);
    outline(part.lakes, 0.6);
    outline(part.land, zoom < 5 ? 0.7 : 1);
}

function lines(context, part, colour, zoom, scale) {
    const draw = (shapes, style, width, dash = []) => {
        context.strokeStyle = style;
        context.lineWidth = width / scale;
        context.lineJoin = context.lineCap = "round";
        context.setLineDash(dash.map((length) => length / scale));
        for (const { path } of shapes ?? []) context.stroke(path);
    };
    if (zoom >= 3) draw(part.rivers, colour.river, 0.6);
    if (zoom >= 5) draw(part.rivers0, colour.river, 0.9 + 0.2 * (zoom - 5));
    if (zoom >= 5) draw(part.rivers1, colour.river, 0.6 + 0.2 * (zoom - 5));
    if (zoom >= 7) draw(part.rivers2, colour.river, 0.5 + 0.2 * (zoom - 7));
    if (zoom >= 5) draw(part.states, colour.state, 0.8, [3, 3]);
    draw(part.borders, colour.border, zoom < 5 ? 0.7 : 1.2);
    context.setLineDash([]);
}

/// The shapes of a part that reach into a tile.
function seen(part, coords, scale) {
    const margin = 4 / scale;
    const west = coords.x * TILE / scale - margin;
    const north = coords.y * TILE / scale - margin;
    const east = west + TILE / scale + 2 * margin;
    const south = north + TILE / scale + 2 * margin;
    const isSeen = (shape) => shape.west < east && shape.east > west
        && shape.north < south && shape.south > north;
    return Object.fromEntries(
        Object.entries(part).map(([kind, shapes]) => [kind, shapes.filter(isSeen)]));
}

/// The names that fit are decided in advance for each zoom, so that a name across two tiles is
/// drawn on both.
function names(context, cities, colour, { x, y, z }, scale) {
    context.direction = "ltr";
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    for (const city of cities) {
        if (city.zoom > z) continue;
        const across = city.x * scale - x * TILE;
        const down = city.y * scale - y * TILE;
        if (across < -NAME_WIDTH || across > TILE + 8 || down < -14 || down > TILE + 14) continue;
        const isLarge = city.population >= 1000;
        const radius = isLarge ? 3 : city.population >= 100 ? 2.4 : 1.9;
        context.beginPath();
        context.arc(across, down, radius, 0, 2 * Math.PI);
        context.fillStyle = colour.city;
        context.strokeStyle = colour.halo;
        context.lineWidth = 2.5;
        context.stroke();
        context.fill();
        const size = isLarge ? 13 : city.population >= 100 || z > 10 ? 12 : 11;
        context.font = `${isLarge ? 600 : 500} ${size}px ${colour.font}`;
        context.lineWidth = 3;
        context.strokeText(city.name, across + 6, down);
        context.fillText(city.name, across + 6, down);
    }
}

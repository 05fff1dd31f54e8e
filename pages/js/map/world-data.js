/// The bundled map of the world (`/world/…`, made by `tools/make-world`): shapes as paths in the
/// pixels of zoom 8, cities with their place in the same pixels. Loaded in parts, each once.

/// The zoom whose pixels are the unit of all data.
export const UNIT_ZOOM = 8;
const SIDE = 256 * 2 ** UNIT_ZOOM;
/// Steps of a degree in the shapes, and degrees of a part.
const STEPS = 100;
const PART = 30;
const SEAM = PART * STEPS;
/// The overlap of two parts, in steps.
const OVERLAP = 3;
const CITY_PART = 10;
/// From this zoom on there are parts; below, the overview shows everything.
const PARTS_FROM = 5;
const CITY_PARTS_FROM = 6;
/// The latitude at which the square of Web Mercator ends.
export const MERCATOR_END = 85.0511;

const loads = new Map();

/// The shapes of a tile: a list of `{land, lakes, …}`, each a list of `{path, edge, west, east,
/// north, south}`: a `Path2D`, for areas also one of their coast, and its extent.
export async function shapesFor(zoom, bounds) {
    if (zoom < PARTS_FROM) return [await overview()];
    const { shapes } = await index();
    try {
        return await Promise.all(keys(bounds, PART).filter((key) => shapes.has(key))
            .map((key) => once(`/world/${key}.json`, readShapes)));
    } catch {
        // Without a network: coarser, but better than nothing.
        return [await overview()];
    }
}

/// The cities in and around a tile that have a name at its zoom.
export async function citiesFor(zoom, bounds) {
    if (zoom < CITY_PARTS_FROM) return once("/world/cities/overview.txt", readCities);
    const { cities } = await index();
    try {
        const parts = await Promise.all(keys(bounds, CITY_PART).filter((key) => cities.has(key))
            .map((key) => once(`/world/cities/${key}.txt`, readCities)));
        return parts.flat();
    } catch {
        return once("/world/cities/overview.txt", readCities);
    }
}

/// The cities within some degrees of a place.
export async function citiesAround({ latitude, longitude }, north, east) {
    const { cities } = await index();
    const bounds = {
        west: longitude - east, east: longitude + east,
        south: Math.max(-90, latitude - north), north: Math.min(89.99, latitude + north),
    };
    const parts = await Promise.all(keys(bounds, CITY_PART).filter((key) => cities.has(key))
        .map((key) => once(`/world/cities/${key}.txt`, readCities)));
    return parts.flat();
}

/// The files with the world around a place.
export async function filesAround({ latitude, longitude }) {
    const { shapes, cities } = await index();
    const point = { west: longitude, east: longitude, south: latitude, north: latitude };
    return [
        ...keys(point, PART).filter((key) => shapes.has(key)).map((key) => `/world/${key}.json`),
        ...keys(point, CITY_PART).filter((key) => cities.has(key))
            .map((key) => `/world/cities/${key}.txt`),
    ];
}

/// The cities of which a word begins with this letter, the largest first.
export async function citiesByLetter(letter) {
    const { letters } = await index();
    const file = letters.has(letter) ? letter : "_";
    return once(`/world/names/${file}.txt`, readCities);
}

function overview() {
    return once("/world/overview.json", readShapes);
}

function index() {
    return once("/world/cells.json", async (response) => {
        const { shapes, cities, letters } = await response.json();
        return { shapes: new Set(shapes), cities: new Set(cities), letters: new Set(letters) };
    });
}

/// Failed loads are retried the next time.
function once(path, read) {
    let load = loads.get(path);
    if (!load) {
        load = fetch(path).then((response) => {
            if (!response.ok) throw new Error(`${path}: ${response.status}`);
            return read(response);
        });
        load.catch(() => loads.delete(path));
        loads.set(path, load);
    }
    return load;
}

function keys({ west, east, south, north }, size) {
    const found = new Set();
    for (let column = Math.floor(west / size); column * size <= east; column += 1) {
        const longitude = ((column * size + 180) % 360 + 360) % 360 - 180;
        for (let row = Math.floor(south / size); row * size <= north; row += 1) {
            found.add(`${longitude}_${row * size}`);
        }
    }
    return [...found];
}

// Reading

async function readShapes(response) {
    const content = await response.json();
    const shapes = {};
    for (const [kind, lines] of Object.entries(content)) {
        const isArea = ["land", "lakes", "urban"].includes(kind);
        shapes[kind] = lines.map((line) => {
            // The edges between two parts are no coast.
            const shape = {
                path: new Path2D(), edge: isArea ? new Path2D() : null,
                west: Infinity, east: -Infinity, north: Infinity, south: -Infinity,
            };
            for (const ring of line.split(" ")) trace(ring, shape);
            return shape;
        });
    }
    return shapes;
}

/// Writes an encoded line into a shape. See `encoded` in `tools/make-world`.
function trace(text, shape) {
    const { path, edge } = shape;
    let x = 0;
    let y = 0;
    let at = 0;
    const next = () => {
        let value = 0;
        let shift = 0;
        let part;
        do {
            part = text.charCodeAt(at) - 63;
            at += 1;
            value |= (part & 31) << shift;
            shift += 5;
        } while (part >= 32);
        return value & 1 ? ~(value >> 1) : value >> 1;
    };
    for (let isFirst = true; at < text.length; isFirst = false) {
        const [oldX, oldY] = [x, y];
        x += next();
        y += next();
        const across = pixelX(x / STEPS);
        const down = pixelY(y / STEPS);
        if (isFirst) path.moveTo(across, down);
        else path.lineTo(across, down);
        const isSeam = (x === oldX && isEdge(x)) || (y === oldY && isEdge(y));
        if (isFirst || isSeam) edge?.moveTo(across, down);
        else edge?.lineTo(across, down);
        shape.west = Math.min(shape.west, across);
        shape.east = Math.max(shape.east, across);
        shape.north = Math.min(shape.north, down);
        shape.south = Math.max(shape.south, down);
    }
    if (edge) path.closePath();
}

function isEdge(steps) {
    return Math.abs(steps - Math.round(steps / SEAM) * SEAM) <= OVERLAP;
}

async function readCities(response) {
    const lines = (await response.text()).split("\n");
    return lines.filter(Boolean).map((line) => {
        const [name, country, north, east, thousands, zoom] = line.split("\t");
        const [latitude, longitude] = [north / 1000, east / 1000];
        return {
            name, country, latitude, longitude, population: Number(thousands),
            zoom: Number(zoom), x: pixelX(longitude), y: pixelY(latitude),
        };
    });
}

function pixelX(longitude) {
    return (longitude + 180) / 360 * SIDE;
}

function pixelY(latitude) {
    const sine = Math.sin(Math.max(-MERCATOR_END, Math.min(MERCATOR_END, latitude))
        * Math.PI / 180);
    return (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * SIDE;
}

/// Describes positions by the cities around them, and finds cities by name. Only the requested part of
/// the world is loaded. `Sources/Core/Gazetteer` has the same rule, and both are tested with
/// `Tests/GazetteerTests/place-names.json`.

import { t } from "./language.js";
import { citiesAround, citiesByLetter } from "./map/world-data.js";

/// Kilometres beyond which a city is not used to describe a position.
const REACH = 100;
const KILOMETRES_OF_DEGREE = 111.195;
const LARGEST_RADIUS = 25;
const PEOPLE_ON_SQUARE_KILOMETRE = 2500;
const DIRECTIONS = [
    (values) => t("{distance} km north of {city}", values),
    (values) => t("{distance} km northeast of {city}", values),
    (values) => t("{distance} km east of {city}", values),
    (values) => t("{distance} km southeast of {city}", values),
    (values) => t("{distance} km south of {city}", values),
    (values) => t("{distance} km southwest of {city}", values),
    (values) => t("{distance} km west of {city}", values),
    (values) => t("{distance} km northwest of {city}", values),
];
/// Names are cached for places of about 100 m, finer than they can distinguish.
const STEPS = 1000;
const MOST_KEPT = 500;
const kept = new Map();
/// How much more a city weighs if its name begins with the search text.
const FIRST_WORD = 5;

/// "3 km north of Salzburg", or "Salzburg" within it. Null if no city is near or the list cannot be
/// loaded.
export function placeName({ latitude, longitude }) {
    const key = `${Math.round(latitude * STEPS)},${Math.round(longitude * STEPS)}`;
    let name = kept.get(key);
    if (!name) {
        name = describe({ latitude, longitude }).catch(() => {
            kept.delete(key);
            return null;
        });
        if (kept.size >= MOST_KEPT) kept.delete(kept.keys().next().value);
        kept.set(key, name);
    }
    return name;
}

/// Cities whose names contain these words, best matches first: `{name, country, latitude, longitude,
/// population}`, with the population in thousands.
export async function findCities(text, limit = 6) {
    const wanted = plain(text);
    if (wanted.length < 2) return [];
    const first = /^[a-z]/.test(wanted) ? wanted[0] : "_";
    let cities;
    try {
        cities = await citiesByLetter(first);
    } catch {
        return [];
    }
    const found = [];
    for (const city of cities) {
        const name = plain(city.name);
        const at = name.indexOf(wanted);
        if (at < 0 || (at > 0 && /[a-z]/.test(name[at - 1]))) continue;
        const rank = city.population * (at === 0 ? FIRST_WORD : 1);
        found.push({ city, rank: name === wanted ? Infinity : rank });
    }
    found.sort((a, b) => b.rank === a.rank
        ? b.city.population - a.city.population : b.rank - a.rank);
    return found.slice(0, limit).map(({ city }) => {
        const { name, country, latitude, longitude, population } = city;
        return { name, country, latitude, longitude, population };
    });
}

async function describe(place) {
    const scale = Math.max(0.02, cosine(place.latitude));
    const cities = await citiesAround(place, 0.9, Math.min(179, 0.95 / scale));
    const found = nearest(place, cities);
    if (!found) return null;
    if (found.share <= 1) return found.city.name;
    const turn = Math.round(Math.atan2(found.east, found.north) / (Math.PI / 4));
    return DIRECTIONS[(turn + 8) % 8]({
        distance: rounded(found.distance), city: found.city.name,
    });
}

/// Distances are weighted by the size of the city: ten kilometres from a large one count as nearer
/// than five from a village.
function nearest(place, cities) {
    let best = null;
    for (const city of cities) {
        const { north, east } = offset(city, place);
        const distance = Math.sqrt(north * north + east * east);
        const share = distance / radius(city.population);
        if (distance > REACH || share >= (best?.share ?? Infinity)) continue;
        best = { city, north, east, distance, share };
    }
    return best;
}

function radius(thousands) {
    return Math.min(
        LARGEST_RADIUS, Math.sqrt(thousands * 1000 / (PEOPLE_ON_SQUARE_KILOMETRE * Math.PI)));
}

/// Kilometres. At such distances the earth is flat.
function offset(city, place) {
    const middle = (city.latitude + place.latitude) / 2;
    let turn = place.longitude - city.longitude;
    if (turn > 180) turn -= 360;
    if (turn < -180) turn += 360;
    return {
        north: (place.latitude - city.latitude) * KILOMETRES_OF_DEGREE,
        east: turn * cosine(middle) * KILOMETRES_OF_DEGREE,
    };
}

/// Whole kilometres, and multiples of five from 30 on.
function rounded(distance) {
    return distance < 30
        ? Math.max(1, Math.floor(distance + 0.5)) : Math.floor(distance / 5 + 0.5) * 5;
}

function cosine(degrees) {
    return Math.cos(degrees * Math.PI / 180);
}

/// Lowercase without accents, as `plain` in `tools/make-world`.
function plain(text) {
    return text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[-']/g, " ").trim();
}

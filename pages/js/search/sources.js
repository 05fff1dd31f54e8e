/// The search sources: people, own places, places of the organisation, cities.
///
/// A result is `{key,kind,title,detail,latitude?,longitude?,radius?}`, with `user` and `groups` for
/// a person, and `link` if there is a page about it.

import { recentDestinations } from "../destinations.js";
import { coordinates } from "../format.js";
import { t } from "../language.js";
import { KINDS } from "../places/own-kinds.js";
import { loadOwn } from "../places/own-data.js";
import { store } from "../store.js";
import { matches } from "./matching.js";

const MOST_OF_A_KIND = 6;
const MOST_CITIES = 5;
/// The radius shown around a city, in metres.
const CITY_RADIUS = 5_000;

/// Results this page already knows, without a request.
///
/// - Parameter friends: `[{user,name?}]`, as the server lists them.
export function known(text, friends = [], state = store.state) {
    const people = peopleOf(state, friends)
        .filter(({ title, user }) => text && matches(text, title, user));
    const own = (state.geofences ?? []).filter(({ name }) => matches(text, name)).map((place) => ({
        key: `own ${place.geofence}`, kind: "own", title: place.name,
        detail: KINDS[place.kind] ?? "", link: `#places/own/${encodeURIComponent(place.geofence)}`,
        ...where(place), radius: place.radius,
    }));
    const recent = recentDestinations().filter(({ name }) => matches(text, name)).map((place) => ({
        key: `recent ${place.latitude} ${place.longitude}`, kind: "recent",
        title: place.name ?? coordinates(place, 4), detail: t("Recent destination"), ...where(place),
    }));
    return [people, own, recent].flatMap((some) => some.slice(0, MOST_OF_A_KIND));
}

/// Each person once, with all groups in which I see them.
function peopleOf({ me, groups, group: chosen, locations }, friends) {
    const found = new Map();
    const order = [...groups.values()].sort((a, b) => (b.group === chosen) - (a.group === chosen));
    for (const { group, name: groupName, members, states } of order) {
        for (const { user, name } of members) {
            if (user === me?.user) continue;
            const person = found.get(user) ?? personOf(user, name, groupName);
            person.groups.push(group);
            Object.assign(person, where(states.get(user)?.fix));
            found.set(user, person);
        }
    }
    for (const { user, name } of [...friends, ...[...locations].map(([user, fix]) => ({ user, ...fix }))]) {
        const person = found.get(user) ?? personOf(user, name ?? user, t("Friend"));
        found.set(user, { ...person, ...where(locations.get(user)) });
    }
    return [...found.values()].sort((a, b) => a.title.localeCompare(b.title));
}

const personOf = (user, title, detail) => ({
    key: `person ${user}`, kind: "person", title, detail, user, groups: [],
});

/// Places of the organisation; near ones first, if the position is known.
export async function placesOf(call, text) {
    const { position, me } = store.state;
    // No position leaves the demo.
    const near = position && !me?.demo ? where(position) : undefined;
    const places = [];
    let after;
    do {
        // A page may be empty if many places were searched without a match.
        const page = await call("place.list", { text, near, after });
        places.push(...page.places);
        after = page.next ?? undefined;
    } while (after && places.length === 0);
    return places.slice(0, MOST_OF_A_KIND).map((place) => ({
        key: `place ${place.place}`, kind: "place", title: place.name,
        detail: [place.street, place.kind].filter((each) => typeof each === "string").join(" · "),
        link: `#places/${encodeURIComponent(place.place)}`, ...where(place), radius: place.radius,
    }));
}

/// Cities of the whole world, if this page has a gazetteer.
export async function citiesOf(text) {
    let cities;
    try {
        cities = await (await import("../gazetteer.js")).findCities(text, MOST_CITIES);
    } catch {
        return [];
    }
    return cities.map((city) => ({
        key: `city ${city.name} ${city.latitude} ${city.longitude}`, kind: "city", title: city.name,
        detail: city.country ?? "", ...where(city), radius: CITY_RADIUS,
    }));
}

/// My own places and my friends; failed requests are omitted.
export async function prepare(call) {
    if (!store.state.geofences) loadOwn(call).catch(() => {});
    try {
        return (await call("friend.list")).friends ?? [];
    } catch {
        return [];
    }
}

function where(place) {
    return place ? { latitude: place.latitude, longitude: place.longitude } : {};
}

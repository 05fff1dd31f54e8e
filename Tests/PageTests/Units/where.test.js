import { directionsTo } from "/js/help/directions.js";
import { bearingBetween, metresBetween } from "/js/geodesy.js";
import { fromMeWords, ownPosition } from "/js/help/where.js";
import { newGroup } from "/js/store.js";
import { equal, test } from "/unit.js";

const salzburg = { latitude: 47.8, longitude: 13.04 };

test("Distances follow the great circle", () => {
    // One degree of a great circle of this sphere.
    const degree = 6_371_009 * Math.PI / 180;
    const cases = [
        [[0, 0], [0, 0], 0], [[0, 0], [1, 0], degree], [[0, 0], [0, 1], degree],
        [[60, 0], [60, 180], 60 * degree], [[0, 179.5], [0, -179.5], degree],
        [[90, 0], [-90, 0], 180 * degree], [[0, 0], [0, 180], 180 * degree],
    ];
    for (const [from, to, metres] of cases) {
        const [a, b] = [from, to].map(([latitude, longitude]) => ({ latitude, longitude }));
        equal(Math.round(metresBetween(a, b)), Math.round(metres), `${from} to ${to}:`);
        equal(Math.round(metresBetween(b, a)), Math.round(metres), `${to} to ${from}:`);
    }
});

test("A bearing is the direction at the start", () => {
    const cases = [
        [[0, 0], [1, 0], 0], [[0, 0], [0, 1], 90], [[0, 0], [-1, 0], 180], [[0, 0], [0, -1], 270],
        [[0, 179], [0, -179], 90], [[0, -179], [0, 179], 270], [[0, 0], [0.01, 0.01], 45],
        // Across the pole.
        [[60, 0], [60, 180], 0],
    ];
    for (const [from, to, degrees] of cases) {
        const [a, b] = [from, to].map(([latitude, longitude]) => ({ latitude, longitude }));
        equal(Math.round(bearingBetween(a, b)), degrees, `${from} to ${to}:`);
    }
});

test("Each of the eight directions has its words", () => {
    const found = [];
    for (let n = 0; n < 8; n += 1) {
        const angle = n * Math.PI / 4;
        found.push(fromMeWords(salzburg, {
            latitude: salzburg.latitude + 0.01 * Math.cos(angle),
            longitude: salzburg.longitude
                + 0.01 * Math.sin(angle) / Math.cos(salzburg.latitude * Math.PI / 180),
        }).replace(/^.*?(\S+) of you$/, "$1"));
    }
    equal(found, ["north", "north-east", "east", "south-east", "south", "south-west", "west",
        "north-west"]);
    equal(fromMeWords(salzburg, salzburg), "Very close to you");
    equal([fromMeWords(null, salzburg), fromMeWords(salzburg, null)], ["", ""]);
});

test("My position is the newest from this device or my states, unless it is old", () => {
    const now = 1_800_000_000_000;
    const fix = (minutes, latitude) => ({
        latitude, longitude: 0, timestamp: new Date(now - minutes * 60_000).toISOString(),
    });
    const group = newGroup("g", "Family");
    group.states.set("ann", { user: "ann", fix: fix(3, 1) });
    const state = (position) => ({ me: { user: "ann" }, groups: new Map([["g", group]]), position });
    equal(ownPosition(state(fix(1, 2)), now).latitude, 2);
    equal(ownPosition(state(fix(5, 2)), now).latitude, 1);
    equal(ownPosition(state(null), now).latitude, 1);
    group.states.set("ann", { user: "ann", fix: fix(31, 1) });
    equal(ownPosition(state(fix(31, 2)), now), null);
    equal(ownPosition({ me: null, groups: new Map(), position: null }, now), null);
});

test("Directions open the device's map app by the link that it supports", () => {
    const link = (userAgent, maxTouchPoints) =>
        directionsTo(salzburg, "Zoë (mum)", { userAgent, maxTouchPoints });
    equal(link("Mozilla/5.0 (Linux; Android 15) Mobile", 5).device,
        "geo:47.800000,13.040000?q=47.800000,13.040000(Zo%C3%AB%20(mum))");
    equal(link("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)", 5).device,
        "maps://?daddr=47.800000,13.040000");
    equal(link("Mozilla/5.0 (X11; Linux x86_64)", 0).device, null);
    equal(link("Mozilla/5.0 (X11; Linux x86_64)", 0).web,
        "https://www.openstreetmap.org/directions?to=47.800000%2C13.040000");
});

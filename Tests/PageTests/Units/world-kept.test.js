import { keepWorld } from "/js/map/world-kept.js";
import { newGroup, store } from "/js/store.js";
import { equal, setOnline, stopTime, test } from "/unit.js";

const VIENNA = { latitude: 48.2, longitude: 16.4 };

/// Opens the page for Ann, with a worker or without; `asked` are its requests.
function begin({ members = [], me = {}, connection = "live", isWorking = true, fails = 0 } = {}) {
    const move = stopTime();
    setOnline(true);
    Object.defineProperty(navigator, "serviceWorker", {
        value: { controller: isWorking ? {} : null }, configurable: true,
    });
    const asked = [];
    globalThis.fetch = async (path) => {
        if (path === "/world/cells.json") {
            const keys = (size) => Array.from({ length: 360 / size }, (_, n) => n * size - 180)
                .flatMap((east) => [0, 30, 40].map((north) => `${east}_${north}`));
            return new Response(JSON.stringify({ shapes: keys(30), cities: keys(10), letters: [] }));
        }
        asked.push(path);
        if (asked.length <= fails) throw new TypeError("Failed to fetch");
        return new Response("");
    };
    const group = newGroup("g", "Family");
    members.forEach((fix, n) => group.states.set(`m${n}`, { user: `m${n}`, fix }));
    store.change((state) => Object.assign(state, {
        me: { user: "ann", ...me }, groups: new Map([["g", group]]), group: "g", connection,
        position: { ...VIENNA, timestamp: new Date(Date.now()).toISOString() },
    }));
    const end = keepWorld();
    return { move, asked, end };
}

test("The world map around me and the others is kept once, not at the start", async () => {
    const { move, asked } = begin({ members: [VIENNA, { latitude: 42, longitude: -71 }, null] });
    await move(14_000);
    equal(asked, []);
    await move(2_000);
    equal(asked, ["/world/0_30.json", "/world/cities/10_40.txt", "/world/-90_30.json",
        "/world/cities/-80_40.txt"]);
    await move(60 * 60_000);
    equal(asked.length, 4);
});

test("The world map is kept in a few parts, however far apart the others are", async () => {
    const members = Array.from({ length: 30 }, (_, n) => ({ latitude: 41, longitude: n * 11 - 170 }));
    const { move, asked } = begin({ members });
    await move(60 * 60_000);
    equal(asked.length, 12);
});

test("A world map part that failed to load is requested again", async () => {
    const { move, asked } = begin({ fails: 1 });
    await move(20_000);
    await move(11 * 60_000);
    equal(asked, ["/world/0_30.json", "/world/cities/10_40.txt", "/world/0_30.json"]);
});

test("The world map is not kept without a worker or connection, or in the demo", async () => {
    for (const how of [{ isWorking: false }, { connection: "waiting" }, { me: { demo: true } }]) {
        const { move, asked, end } = begin(how);
        await move(20_000);
        end();
        equal(asked, [], JSON.stringify(how));
    }
});

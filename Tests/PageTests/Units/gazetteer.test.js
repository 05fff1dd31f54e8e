import { findCities, placeName } from "/js/gazetteer.js";
import { equal, test } from "/unit.js";

test("A position is named by nearby cities, as the server names it", async () => {
    const examples = await (await fetch("/place-names.json")).json();
    equal(examples.length > 10, true);
    for (const { latitude, longitude, name } of examples) {
        equal(await placeName({ latitude, longitude }), name, `${latitude}, ${longitude}:`);
    }
});

test("A position has no name until the city list can be loaded", async () => {
    const real = globalThis.fetch;
    globalThis.fetch = async () => { throw new TypeError("Failed to fetch"); };
    equal(await placeName({ latitude: 48.2082, longitude: 16.3738 }), null);
    globalThis.fetch = real;
    equal(await placeName({ latitude: 48.2082, longitude: 16.3738 }), "Vienna");
});

test("Cities are found by the words of their names, best match first", async () => {
    const names = async (text) => (await findCities(text, 2)).map(({ name }) => name);
    equal(await names("salz"), ["Salzburg", "Salzgitter"]);
    equal(await names("koln"), ["Köln"]);
    equal((await names("new york"))[0], "New York City");
    equal((await names("york"))[0], "York");
    equal(await names("x"), []);
    equal(await names("zzzz"), []);
});

import {
    forgetDestinations, recentDestinations, rememberDestination, withPlace,
} from "/js/destinations.js";
import { store } from "/js/store.js";
import { equal, test } from "/unit.js";

const place = (latitude, name) => ({ latitude, longitude: 14.5, ...(name ? { name } : {}) });
const logIn = (user, more = {}) => store.change((state) => { state.me = { user, ...more }; });

test("Destinations are listed newest first, each place once, eight at most", () => {
    let places = [];
    for (let n = 0; n < 12; n += 1) places = withPlace(places, place(40 + n, `p${n}`));
    equal(places.map(({ name }) => name), ["p11", "p10", "p9", "p8", "p7", "p6", "p5", "p4"]);
    // About 30 m from p8.
    places = withPlace(places, place(48.0003, "Home"));
    equal(places.map(({ name }) => name), ["Home", "p11", "p10", "p9", "p7", "p6", "p5", "p4"]);
});

test("Destinations belong to one account, and forgetting erases them", () => {
    localStorage.clear();
    logIn("ann");
    rememberDestination(place(46.05, "Granny's"));
    equal(recentDestinations(), [place(46.05, "Granny's")]);
    logIn("ben");
    equal(recentDestinations(), []);
    logIn("ann");
    equal(recentDestinations().length, 1);
    forgetDestinations();
    equal(recentDestinations(), []);
    equal(Object.keys(localStorage).filter((key) => localStorage[key].includes("Granny")), []);
});

test("Destinations are not kept in the demo, and invalid ones are not returned", () => {
    localStorage.clear();
    logIn("dan", { demo: true });
    rememberDestination(place(46.05, "Granny's"));
    logIn("dan");
    equal(recentDestinations(), []);
    localStorage.setItem("kith.destinations", JSON.stringify({
        user: "dan", places: [{ latitude: 99, longitude: 1 }, null, place(1, 7), place(2, "a")],
    }));
    equal(recentDestinations(), [place(2, "a")]);
});

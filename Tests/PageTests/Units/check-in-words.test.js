import { describe, journeyWords } from "/js/member.js";
import { stateOf } from "/js/validation.js";
import { equal, test } from "/unit.js";

const NOW = Date.parse("2026-09-01T10:00:00Z");
const inMinutes = (minutes) => new Date(NOW + minutes * 60_000).toISOString();
const member = (journey) => ({
    user: "ann", name: "Ann", state: "routing", version: 1, warnings: [], journey,
});

test("Others also see a journey without a destination as a check-in", () => {
    const words = (minutes) => journeyWords({ eta: inMinutes(minutes) }, NOW);
    equal(words(90).startsWith("Check-in by "), true, words(90));
    equal(words(90).endsWith("1\u00a0h 30\u00a0min"), true, words(90));
    equal(words(-5).startsWith("Check-in was due at"), true, words(-5));
    equal(words(-5).endsWith("5\u00a0min\u00a0ago"), true, words(-5));
    equal(describe(member({ eta: inMinutes(90) }), NOW).label, "Check-in");
    const destination = { latitude: 1, longitude: 2, name: "home" };
    equal(describe(member({ destination, eta: inMinutes(90) }), NOW).label, "On the way");
});

test("A received check-in is accepted, but not an invalid destination", () => {
    const journey = (value) => stateOf(member(value))?.journey;
    const eta = inMinutes(90);
    equal(journey({ eta }), { eta });
    equal(journey({ eta: "soon" }), undefined);
    equal(journey({ eta, destination: { latitude: 999, longitude: 2 } }), undefined);
    equal(journey({ eta, destination: null }), undefined);
});

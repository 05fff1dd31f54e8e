import { alertNotes, alertWords } from "/js/alerts/words.js";
import { equal, test } from "/unit.js";

const AT = "2026-11-24T12:00:00Z";
const place = { latitude: 47.8, longitude: 13.04, name: "the station" };
const eta = "2026-11-24T13:00:00Z";
const fix = { latitude: 47.8, longitude: 13.04, timestamp: AT };

/// The kinds of docs/reference.md.
const KINDS = [
    "journey-started", "journey-stopped", "journey-arrived", "late", "stuck", "moving", "offline",
    "online", "silent", "sos", "sos-stopped", "sos-left", "in-need", "unanswered", "assisted",
    "vitals-silent", "vitals-back",
];

const alert = (kind, more = {}) => ({
    id: "1", kind, group: "g", user: "ben", name: "Ben", at: AT, text: "THE SERVICE'S OWN",
    acknowledgedBy: [], fix, fixAge: 0, ...more,
});

test("Every kind has words of its own, and they name the person", () => {
    const said = new Set();
    for (const kind of KINDS) {
        const words = alertWords(alert(kind, { journey: { destination: place, eta } }));
        if (!words.includes("Ben")) throw new Error(`${kind}: ${words}`);
        if (/THE SERVICE|\{|undefined/.test(words)) throw new Error(`${kind}: ${words}`);
        said.add(words);
    }
    equal(said.size, KINDS.length);
});

test("A deleted account has no name to be told", () => {
    const words = alertWords({ id: "1", kind: "sos-account-deleted", group: "g", at: AT, text: "" });
    equal(words.startsWith("The account of somebody in an SOS has been deleted."), true);
});

test("A journey without a destination is a check-in", () => {
    const journey = { eta };
    equal(alertWords(alert("journey-stopped", { journey })), "Ben has checked in: all is well.");
    equal(/^Ben will check in by .+\.$/.test(alertWords(alert("journey-started", { journey }))), true);
    equal(/^Ben has not checked in by .+\.$/.test(alertWords(alert("late", { journey }))), true);
    const unnamed = { destination: { latitude: 1, longitude: 2 }, eta };
    equal(alertWords(alert("journey-arrived", { journey: unnamed })), "Ben has arrived.");
    equal(alertWords(alert("journey-arrived", { journey: { destination: place, eta } })),
        "Ben has arrived at the station.");
});

test("Of an unknown kind, and of a journey that is not told, the service's sentence is shown", () => {
    equal(alertWords(alert("abducted")), "THE SERVICE'S OWN");
    equal(alertWords(alert("toString")), "THE SERVICE'S OWN");
    equal(alertWords(alert("late")), "THE SERVICE'S OWN");
    // It says all of it.
    equal(alertNotes(alert("late", { fix: null })), []);
});

test("Who calls by phone is told the number", () => {
    equal(alertWords(alert("unanswered", { number: "112" })).endsWith("Please call 112 yourself."),
        true);
    equal(alertWords(alert("unanswered")).endsWith("Please call for help yourself."), true);
});

test("A position that is old or missing is said, where somebody may go there", () => {
    equal(alertNotes(alert("sos", { fixAge: 119 })), []);
    equal(alertNotes(alert("sos", { fixAge: 600 })), ["The last position is 10\u00a0min old."]);
    equal(alertNotes(alert("in-need", { fix: null })), ["No position is known."]);
    equal(alertNotes(alert("moving", { fix: null })), []);
});

test("An SOS, a journey that waits, is said with it, and that it goes on with the end", () => {
    const journey = { destination: place, eta };
    equal(alertNotes(alert("sos", { journeyWaits: true, journey })),
        ["The journey goes on when the SOS is over."]);
    equal(alertNotes(alert("sos", { journey })), []);
    equal(alertNotes(alert("sos-stopped", { journey })), ["The journey goes on."]);
    equal(alertNotes(alert("sos-stopped", {})), []);
});

test("An SOS, a clock that was wrong, is said with it", () => {
    equal(alertNotes(alert("sos", { clockWrong: true })),
        ["A clock is wrong, so the time of the call is when it arrived."]);
});

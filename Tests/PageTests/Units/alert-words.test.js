import { alertNotes, alertWords } from "/js/alerts/words.js";
import { equal, test } from "/unit.js";

const AT = "2026-11-24T12:00:00Z";
const place = { latitude: 47.8, longitude: 13.04, name: "the station" };
const eta = "2026-11-24T13:00:00Z";
const fix = { latitude: 47.8, longitude: 13.04, timestamp: AT };

/// The kinds listed in docs/reference.md.
const KINDS = [
    "journey-started", "journey-stopped", "journey-arrived", "late", "stuck", "moving", "offline",
    "online", "silent", "sos", "sos-stopped", "sos-left", "in-need", "unanswered", "assisted",
    "vitals-silent", "vitals-back",
];

const alert = (kind, more = {}) => ({
    id: "1", kind, group: "g", user: "ben", name: "Ben", at: AT, text: "THE SERVICE'S OWN",
    acknowledgedBy: [], fix, fixAge: 0, ...more,
});

test("Every alert kind has its own words, which name the person", () => {
    const said = new Set();
    for (const kind of KINDS) {
        const words = alertWords(alert(kind, { journey: { destination: place, eta } }));
        if (!words.includes("Ben")) throw new Error(`${kind}: ${words}`);
        if (/THE SERVICE|\{|undefined/.test(words)) throw new Error(`${kind}: ${words}`);
        said.add(words);
    }
    equal(said.size, KINDS.length);
});

test("An alert about a deleted account names no one", () => {
    const words = alertWords({ id: "1", kind: "sos-account-deleted", group: "g", at: AT, text: "" });
    equal(words.startsWith("The account of a person in an SOS was deleted."), true);
});

test("A journey without a destination is a check-in", () => {
    const journey = { eta };
    equal(alertWords(alert("journey-stopped", { journey })), "Ben has ended the check-in.");
    equal(/^Ben will check in by .+\.$/.test(alertWords(alert("journey-started", { journey }))), true);
    equal(/^Ben has not checked in by .+\.$/.test(alertWords(alert("late", { journey }))), true);
    const unnamed = { destination: { latitude: 1, longitude: 2 }, eta };
    equal(alertWords(alert("journey-arrived", { journey: unnamed })), "Ben has arrived.");
    equal(alertWords(alert("journey-arrived", { journey: { destination: place, eta } })),
        "Ben has arrived at the station.");
});

test("An alert of unknown kind or without its journey shows the service's sentence", () => {
    equal(alertWords(alert("abducted")), "THE SERVICE'S OWN");
    equal(alertWords(alert("toString")), "THE SERVICE'S OWN");
    equal(alertWords(alert("late")), "THE SERVICE'S OWN");
    // The service's sentence needs no notes.
    equal(alertNotes(alert("late", { fix: null })), []);
});

test("An unanswered call shows the number to call by phone", () => {
    equal(alertWords(alert("unanswered", { number: "112" })).endsWith("Please call 112 yourself."),
        true);
    equal(alertWords(alert("unanswered")).endsWith("Please call for help yourself."), true);
});

test("An old or missing position is noted in alerts that call for help", () => {
    equal(alertNotes(alert("sos", { fixAge: 119 })), []);
    equal(alertNotes(alert("sos", { fixAge: 600 })), ["The last position is 10\u00a0min old."]);
    equal(alertNotes(alert("in-need", { fix: null })), ["No position is known."]);
    equal(alertNotes(alert("moving", { fix: null })), []);
});

test("An SOS notes that the journey waits, and its end that the journey continues", () => {
    const journey = { destination: place, eta };
    equal(alertNotes(alert("sos", { journeyWaits: true, journey })),
        ["The journey resumes when the SOS is over."]);
    equal(alertNotes(alert("sos", { journey })), []);
    equal(alertNotes(alert("sos-stopped", { journey })), ["The journey continues."]);
    equal(alertNotes(alert("sos-stopped", {})), []);
});

test("An SOS notes a wrong clock", () => {
    equal(alertNotes(alert("sos", { clockWrong: true })),
        ["A clock is wrong, so the call shows the time it arrived."]);
});

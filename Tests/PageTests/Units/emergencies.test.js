import { gatherEmergencies, isPart } from "/js/alerts/emergencies.js";
import { storyOf } from "/js/alerts/story.js";
import { newGroup, store } from "/js/store.js";
import { equal, test } from "/unit.js";

let count = 0;

/// An alert raised in that minute after noon.
function alert(kind, minute, more = {}) {
    const at = new Date(Date.UTC(2026, 10, 24, 12, minute)).toISOString();
    count += 1;
    return {
        id: `${at} ${String(count).padStart(4, "0")}`, kind, group: "g", user: "ben", name: "Ben",
        at, text: "", acknowledgedBy: [], responses: [], fix: null, ...more,
    };
}

const minutes = (time) => (time === null ? null : new Date(time).getUTCMinutes());
const shape = (stories) => stories.map(({ user, startedAt, endedAt, leftAt, alerts }) =>
    [user, minutes(startedAt), minutes(endedAt), minutes(leftAt), alerts.length]);

test("An emergency is one entry, from its beginning to its end", () => {
    equal(shape(gatherEmergencies([
        alert("sos-stopped", 9), alert("sos", 1), alert("unanswered", 3), alert("assisted", 5),
    ])), [["ben", 1, 9, null, 4]]);
});

test("The next emergency is another entry, and the newest is first", () => {
    equal(shape(gatherEmergencies([
        alert("sos", 1), alert("sos-stopped", 2), alert("in-need", 30), alert("sos-stopped", 31),
    ])), [["ben", 30, 31, null, 2], ["ben", 1, 2, null, 2]]);
});

test("Simultaneous emergencies of two people are separate entries", () => {
    equal(shape(gatherEmergencies([
        alert("sos", 1), alert("sos", 2, { user: "cleo" }), alert("sos-stopped", 3),
        alert("sos-stopped", 4, { user: "cleo" }),
    ])), [["cleo", 2, 4, null, 2], ["ben", 1, 3, null, 2]]);
});

test("An emergency announced in several groups is one entry", () => {
    equal(shape(gatherEmergencies([
        alert("sos", 1), alert("sos", 1, { group: "h" }),
        alert("sos-stopped", 4), alert("sos-stopped", 4, { group: "h" }),
    ])), [["ben", 1, 4, null, 4]]);
});

test("A second call to a group is another emergency if the first's end is missing", () => {
    equal(shape(gatherEmergencies([alert("sos", 1), alert("sos", 40), alert("sos-stopped", 41)])),
        [["ben", 40, 41, null, 2], ["ben", 1, null, null, 1]]);
});

test("The end of an emergency without a loaded beginning is its own entry", () => {
    equal(shape(gatherEmergencies([alert("sos-stopped", 4)])), [["ben", null, 4, null, 1]]);
});

test("A caller has left once they have left all groups that were called", () => {
    const called = [alert("sos", 1), alert("sos", 1, { group: "h" })];
    equal(shape(gatherEmergencies([...called, alert("sos-left", 5)])), [["ben", 1, null, null, 3]]);
    equal(shape(gatherEmergencies([
        ...called, alert("sos-left", 5), alert("sos-left", 7, { group: "h" }),
    ])), [["ben", 1, null, 7, 4]]);
});

test("Warnings, journeys and deleted accounts are not part of an emergency", () => {
    const others = ["late", "stuck", "silent", "offline", "online", "journey-started", "vitals-back"];
    equal(others.filter((kind) => isPart(alert(kind, 1))), []);
    equal(isPart({ id: "1", kind: "sos-account-deleted" }), false);
    equal(gatherEmergencies(others.map((kind) => alert(kind, 1))), []);
});

test("An emergency's story lists who came, who called and who saw it, in order", () => {
    const family = newGroup("g", "Family");
    family.members = [{ user: "ann", name: "Ann" }, { user: "cleo", name: "Cleo" }];
    Object.assign(store.state, {
        me: { user: "ann", device: "web" }, groups: new Map([["g", family]]),
    });
    const at = (minute) => new Date(Date.UTC(2026, 10, 24, 12, minute)).toISOString();
    const [emergency] = gatherEmergencies([
        alert("sos", 1, {
            number: "112", repetition: 2, acknowledgedBy: ["ann", "cleo"], journeyWaits: true,
            responses: [
                { user: "cleo", name: "Cleo", kind: "called", at: at(4) },
                { user: "ann", name: "Ann", kind: "coming", at: at(2) },
            ],
        }),
        alert("sos-stopped", 9),
    ]);
    equal(storyOf(emergency).map(({ at: time, text }) => [minutes(time), text]), [
        [1, "Ben has sent an SOS and needs help."],
        [1, "The journey resumes when the SOS is over."],
        [1, "No position is known."],
        [2, "You are on the way."],
        [4, "Cleo called 112."],
        [9, "Ben has ended the SOS."],
        [null, "Repeated 2 times."],
        [null, "Seen by you and Cleo."],
    ]);
});

import { reach, within } from "/js/known/reach.js";
import { hasWaitingJourney, shownAfterSOS } from "/js/known/shown.js";
import {
    afterWords, beforeWords, seenWords, sentWords,
} from "/js/known/sos-words.js";
import { newGroup, store } from "/js/store.js";
import { equal, setOnline, test } from "/unit.js";

const NOW = Date.now();
const ago = (seconds) => new Date(NOW - seconds * 1000).toISOString();
const fixOf = (seconds) => ({ latitude: 46, longitude: 14, timestamp: ago(seconds) });
const WORKED = [{ by: "push", workedAt: ago(7200) }];

/// Ann's state. Maya and Omar are in Family with her; `maya` and `omar`: `{online?,leftAt?,ways?}`,
/// `ways` undefined: the service was not asked.
function world({ maya = {}, omar = {}, mine = { state: "active", fix: null }, ...state } = {}) {
    const family = newGroup("g", "Family");
    family.members = [["ann", "Ann"], ["maya", "Maya"], ["omar", "Omar"]]
        .map(([user, name]) => ({ user, name }));
    const others = { maya, omar };
    for (const [user, { online = false, leftAt }] of Object.entries(others)) {
        family.states.set(user, { user, online, leftAt, state: "active", warnings: [], fix: null });
    }
    family.states.set("ann", { user: "ann", online: true, warnings: [], ...mine });
    const ways = new Map(Object.entries(others).filter(([, each]) => each.ways)
        .map(([user, each]) => [user, each.ways]));
    return {
        ...store.state, me: { user: "ann", device: "web" }, groups: new Map([["g", family]]),
        connection: "live", isLoaded: true,
        reached: new Map(ways.size ? [["g", { at: NOW, ways }]] : []), ...state,
    };
}

const before = (state, device = {}) =>
    beforeWords(reach(state), { fix: null, device: "sending", now: NOW, ...device })
        .map(({ text }) => text);
const sent = (state) => sentWords(reach(state)).map(({ text }) => text);

const NONE = { ways: [] };
const PHONE = "Also call for help by phone.";
const FIXLESS = "Your position is not known yet. It will be sent as soon as it is.";
const CONDITIONS = {
    "a page is open": [{ maya: { online: true, ...NONE }, omar: NONE },
        ["Reachable now: Maya (connected).", "Not known to be reachable: Omar."]],
    "every page is closed, and there is no channel": [{ maya: { online: true, leftAt: ago(20), ...NONE },
        omar: NONE },
    ["No one there has Kith open, and there is no other way to reach them.", PHONE]],
    "everybody is offline, a channel has never worked": [{ maya: { ways: [{ by: "push" }] }, omar: NONE },
        ["No one there has Kith open, and no other way to reach them is known to work.", PHONE]],
    "a channel fails": [{ maya: { ways: [{ ...WORKED[0], failing: true }] }, omar: NONE },
        ["No one there has Kith open, and no other way to reach them is known to work.", PHONE]],
    "a channel has worked": [{ maya: { ways: [...WORKED, { by: "mail" }] }, omar: NONE },
        ["Reachable now: Maya (push).", "Not known to be reachable: Omar."]],
    "the service was not asked": [{}, ["It is not known who is reachable now.", PHONE]],
    "the service said nothing about one of them": [{ maya: NONE },
        ["It is not known who is reachable now.", PHONE]],
    "the members are not known": [{ maya: NONE, omar: NONE, isLoaded: false },
        ["It is not known who is reachable now.", PHONE]],
};

test("An unsent SOS promises no more than is known about who is reachable", () => {
    for (const [name, [known, words]] of Object.entries(CONDITIONS)) {
        equal(before(world(known)), ["Your SOS goes to Family.", ...words, FIXLESS], name);
    }
});

test("A sent SOS claims no more than is known about who is reachable", () => {
    for (const [name, [known, words]] of Object.entries(CONDITIONS)) {
        const state = world(known);
        equal(sent(state), ["Sent to Family.", ...words, "No one has answered yet."], name);
        equal(sent(state).includes(PHONE), within(reach(state)).length === 0, name);
    }
});

test("An SOS without a server shows that it waits, and nothing about others", () => {
    const open = { maya: { online: true, ways: WORKED }, omar: NONE };
    for (const [name, state] of Object.entries({
        "no answer": world({ ...open, connection: "waiting" }), "no network": world(open),
    })) {
        setOnline(name !== "no network");
        equal(before(state),
            ["No connection. Your SOS will be sent as soon as there is one.", PHONE], name);
        equal(sent(state), ["Sent to Family."], name);
        setOnline(true);
    }
});

test("An SOS in groups without others alerts no one and says so", () => {
    const alone = world();
    alone.groups.get("g").members = [{ user: "ann", name: "Ann" }];
    equal(before(alone), ["There is no one else in your groups: no one will be alerted.", PHONE]);
    equal(sent(alone), ["There is no one else in your groups: no one was alerted.", PHONE]);
    equal(reach(alone).groups, []);
});

test("The ways to reach a person are unknown again after ten minutes", () => {
    const state = world({ maya: { ways: WORKED }, omar: NONE });
    equal(reach(state, { now: NOW + 599_000 }).others.map(({ way }) => way), ["works", "nothing"]);
    equal(reach(state, { now: NOW + 600_000 }).others.map(({ way }) => way), ["unknown", "unknown"]);
});

test("A person in two groups counts once, by the better way", () => {
    const state = world({ maya: { online: true, ...NONE }, omar: NONE });
    const club = newGroup("h", "Club");
    club.members = state.groups.get("g").members;
    for (const user of ["ann", "maya", "omar"]) {
        club.states.set(user, { user, online: false, warnings: [], fix: null, state: "inactive" });
    }
    state.groups.set("h", club);
    state.reached.set("h", { at: NOW, ways: new Map([["maya", []], ["omar", WORKED]]) });
    equal(reach(state).others.map(({ user, way }) => [user, way]), [["maya", "here"], ["omar", "works"]]);
    equal(reach(state, { among: ["h"] }).groups, ["Club"]);
});

test("A large group is shown as numbers, not names", () => {
    const ways = Object.fromEntries(["maya", "omar"].map((user) => [user, NONE]));
    const state = world({ ...ways, maya: { online: true, ...NONE } });
    const group = state.groups.get("g");
    for (const name of ["A", "B"]) {
        group.members.push({ user: name, name });
        group.states.set(name, { user: name, online: false, warnings: [], fix: null, state: "active" });
        state.reached.get("g").ways.set(name, []);
    }
    equal(sent(state)[1], "Reachable now: 1 of 4 people.");
});

test("An unsent SOS shows what is known of my position, and a refused permission", () => {
    const state = world({ maya: { online: true } });
    const last = (device) => before(state, device).at(-1);
    equal(last({ fix: fixOf(2) }), "Your position is sent with it.");
    equal(last({ fix: fixOf(120) }), "Your position from 2\u00a0min ago is sent with it.");
    equal(last({ device: "waiting" }), FIXLESS);
    equal(last({ device: "refused" }),
        "Your position is not sent with it: this page is not allowed to use your location.");
});

test("The groups' view in an SOS is what the service has, not this device", () => {
    const seen = (known) => seenWords({ device: "sending", now: NOW, ...known });
    equal(seen({ fix: fixOf(1) }), "They can see where you are, updated just now.");
    equal(seen({ fix: fixOf(119) }), "They can see where you are, updated 1\u00a0min ago.");
    equal(seen({ fix: fixOf(600) }), "They can see where you were 10\u00a0min ago.");
    equal(seen({ fix: null }), "They can't see where you are: no position from you has arrived.");
    equal(seen({ fix: null, device: "refused" }),
        "They can't see where you are: this page is not allowed to use your location.");
    equal(seen({ fix: fixOf(600), device: "refused" }), "They can see where you were 10\u00a0min ago. "
        + "This site isn't allowed to use your location.");
    equal(seen({ fix: null, refusal: "no place" }), "Your position was rejected: no place");
});

test("The end of an SOS announces how sharing goes on, in each case", () => {
    const inHours = (hours) => new Date(NOW + hours * 3_600_000).toISOString();
    const said = (mine, how = {}) => {
        const state = world({ mine: { state: "sos", fix: null, ...mine } });
        return afterWords(shownAfterSOS(state, NOW),
            { isLive: true, goesOn: hasWaitingJourney(state), stopsSending: false, ...how });
    };
    const told = "Your groups will be notified that your SOS is over.";
    equal(said({}), `${told} After that you share your location with Family until you stop.`);
    equal(said({ until: inHours(-1), fix: fixOf(60) }),
        `${told} After that Family can see your last position, and nothing newer.`);
    equal(said({ until: inHours(1) }).startsWith(
        `${told} After that you share your location with Family until `), true);
    equal(said({ until: inHours(1) }).includes("until you stop"), false);
    equal(said({ after: "inactive", fix: fixOf(60) }),
        `${told} After that Family can see your last position, and nothing newer.`);
    equal(said({ after: "inactive" }), `${told} After that Family cannot see where you are.`);
    equal(said({ journey: { eta: inHours(1) } }), `${told} The journey continues. After that you share `
        + "your location with Family until you stop.");
    equal(said({}, { stopsSending: true }), `${told} After that you share your location with Family `
        + "until you stop. This device stops sending your position.");
    equal(said({}, { isLive: false }).startsWith(
        "No connection. Your groups will be notified that your SOS is over as soon as there is one."), true);
});

test("No sentence claims anything untrue, whatever is known", () => {
    const channels = [undefined, [], [{ by: "push" }], WORKED, [{ ...WORKED[0], failing: true }]];
    const people = channels.flatMap((ways) => [
        { ways }, { ways, online: true }, { ways, online: true, leftAt: ago(15) },
    ]);
    let count = 0;
    for (const maya of people) {
        for (const omar of people) {
            for (const connection of ["live", "waiting"]) {
                for (const isLoaded of [true, false]) {
                    check(world({ maya, omar, connection, isLoaded }), [maya, omar]);
                    count += 1;
                }
            }
        }
    }
    equal(count, 900);
});

function check(state, people) {
    const isLive = state.connection === "live";
    const isHere = ({ online, leftAt }) => online === true && !leftAt;
    const works = ({ ways }) => ways?.some((each) => each.workedAt && !each.failing) ?? false;
    const isAnybodyNear = people.some((each) => isHere(each) || works(each));
    const isAllAsked = people.every(({ ways }) => ways);
    const all = [...before(state), ...sent(state)];
    const says = (pattern) => all.some((text) => pattern.test(text));
    const facts = JSON.stringify([people, state.connection, state.isLoaded]);
    equal(says(/^Reachable now/m), isLive && isAnybodyNear, `reachable ${facts}`);
    equal(says(/\(connected\)/), isLive && people.some(isHere), `connected ${facts}`);
    if (says(/No one there has Kith open/)) {
        equal([isLive, isAllAsked, state.isLoaded, isAnybodyNear], [true, true, true, false], facts);
    }
    if (says(/no other way to reach them\.$/)) {
        equal(people.every(({ ways }) => ways.length === 0), true, facts);
    }
    equal(before(state).includes(PHONE), !isLive || !isAnybodyNear, `phone ${facts}`);
}

import { callsOf, makeCallsInView } from "/js/map/calls-in-view.js";
import { newGroup } from "/js/store.js";
import { equal, stopTime, test } from "/unit.js";

const now = () => new Date(Date.now()).toISOString();
const fixAt = (latitude) => ({ latitude, longitude: 16, timestamp: now() });

/// `members`: user → changes to their state.
function stateOf(members, { position = null } = {}) {
    const group = newGroup("g", "Family");
    for (const [user, more] of Object.entries(members)) {
        group.states.set(user, {
            user, name: user, state: "active", fix: fixAt(48), warnings: [], since: now(),
            responses: [], ...more,
        });
    }
    return { me: { user: "ann" }, groups: new Map([["g", group]]), group: "g", position };
}

const northOf = (calls) => [calls.key, calls.fixes.map(({ latitude }) => latitude),
    calls.near.map(({ latitude }) => latitude)];

test("An SOS view covers the callers, and me if I am near", () => {
    const ben = { state: "sos", fix: fixAt(48.1) };
    equal(northOf(callsOf(stateOf({ ben, cleo: {} }, { position: fixAt(48) }))), ["ben", [48.1], [48]]);
    equal(northOf(callsOf(stateOf({ ben }, { position: fixAt(50) }))), ["ben", [48.1], []], "far:");
    equal(northOf(callsOf(stateOf({ ben }))), ["ben", [48.1], []], "not known:");
});

test("An SOS view leaves out people who do not call or have no position", () => {
    equal(northOf(callsOf(stateOf({ ben: {}, cleo: { state: "sos", fix: null } }))), ["", [], []]);
});

test("My SOS's view covers me and the people coming from nearby", () => {
    const at = now();
    const coming = (user) => ({ user, name: user, kind: "coming", at });
    const state = stateOf({
        ann: { state: "sos", responses: [coming("ben"), coming("dan"), { ...coming("cleo"), kind: "called" }] },
        ben: { fix: fixAt(48.2) }, cleo: { fix: fixAt(48.3) }, dan: { fix: fixAt(52) },
    });
    equal(northOf(callsOf(state)), ["ann", [48], [48.2]]);
});

/// A map that shows the bounds it was last fitted to.
function makeMap() {
    const handlers = {};
    const element = document.createElement("div");
    const fits = [];
    let inside = [];
    let room = true;
    const map = {
        getContainer: () => element,
        on(kind, handler) { handlers[kind] = handler; return map; },
        off: () => map,
    };
    const calls = makeCallsInView(map, {
        planOf: (fixes, near) => (room ? [...fixes, ...near] : fixes),
        isShown: (plan) => plan.every((fix) => inside.includes(fix)),
        show(plan) {
            handlers.movestart();
            fits.push(plan.length);
            inside = plan;
        },
    });
    return {
        calls, fits, element,
        resize() { inside = []; handlers.resize(); },
        moveByHand: () => handlers.movestart(),
        setRoom(value) { room = value; },
    };
}

const near = fixAt(48);
const about = (...users) => ({ key: users.join(" "), fixes: users.map((_, n) => fixAt(n)), near: [near] });

test("A call is shown once, and again whenever the layout cuts it off", async () => {
    const move = stopTime();
    const map = makeMap();
    const ben = about("ben");
    map.calls.update(ben);
    await move(10);
    map.calls.update(ben);
    await move(10);
    equal(map.fits, [2]);
    map.resize();
    await move(10);
    equal(map.fits, [2, 2]);
});

test("A call is not shown again after the map was moved, unless there is another", async () => {
    const move = stopTime();
    const map = makeMap();
    map.calls.update(about("ben"));
    await move(10);
    map.moveByHand();
    map.resize();
    map.calls.update(about("ben"));
    await move(5000);
    equal(map.fits.length, 1);
    map.calls.update(about("ben", "cleo"));
    await move(10);
    equal(map.fits, [2, 3]);
    map.moveByHand();
    // Ben is safe.
    map.calls.update(about("cleo"));
    await move(5000);
    equal(map.fits.length, 2);
});

test("A call waits for a finger on the map, but four seconds at most", async () => {
    const move = stopTime();
    const map = makeMap();
    const touch = () => map.element.dispatchEvent(new Event("pointermove"));
    touch();
    map.calls.update(about("ben"));
    await move(500);
    equal(map.fits.length, 0);
    for (let n = 0; n < 9; n += 1) {
        touch();
        await move(500);
    }
    equal(map.fits.length, 1);
});

test("A call on a small map is shown alone", async () => {
    const move = stopTime();
    const map = makeMap();
    map.setRoom(false);
    map.calls.update(about("ben"));
    await move(10);
    equal(map.fits, [1]);
});

test("A requested call is shown, but not a person who does not call", async () => {
    const move = stopTime();
    const map = makeMap();
    map.calls.update(about("ben"));
    await move(10);
    map.moveByHand();
    equal([map.calls.show("cleo"), map.calls.show(undefined), map.calls.show("ben")], [false, false, true]);
    map.resize();
    await move(10);
    equal(map.fits.length, 3);
});

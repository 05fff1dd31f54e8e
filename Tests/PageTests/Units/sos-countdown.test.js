import { COUNTDOWN_S, countDown, resumeCountDown } from "/js/sos-countdown.js";
import { sosRequest } from "/js/sos-request.js";
import { readStored, writeStored } from "/js/storage.js";
import { newGroup, store } from "/js/store.js";
import { equal, network, stopTime, test } from "/unit.js";

const KEY = "kith.sos-countdown";

/// Logs in Ann, who is in a group with Ben unless `isAlone`; stops the clock.
async function begin({ isAlone = false } = {}) {
    const move = stopTime();
    const asked = network(({ path }) => (path === "/api/sos.trigger" ? [200, {}] : undefined));
    const family = newGroup("g", "Family");
    family.members = [{ user: "ann", name: "Ann" }, { user: "ben", name: "Ben" }];
    store.change((state) => Object.assign(state, {
        me: { user: "ann", device: "web", root: "kith" }, isLoaded: true,
        groups: new Map(isAlone ? [] : [["g", family]]), group: "g",
        position: {
            latitude: 1, longitude: 2, timestamp: new Date(Date.now()).toISOString(),
        },
    }));
    await move(1);
    const said = [];
    return {
        move, said, calls: () => asked.filter(({ path }) => path === "/api/sos.trigger"),
        app: { store, say: (words) => said.push(words) },
    };
}

const digit = () => document.querySelector("[role=timer]")?.textContent;
const press = (words) => [...document.querySelectorAll("dialog button")]
    .find((button) => button.textContent === words).click();

test("The countdown calls for help once, after five seconds and not before", async () => {
    const { app, move, calls } = await begin();
    countDown(app);
    const seen = [digit()];
    for (let second = 1; second < COUNTDOWN_S; second += 1) {
        await move(1000);
        seen.push(digit());
    }
    equal(seen, ["5", "4", "3", "2", "1"]);
    await move(999);
    equal(calls().length, 0);
    await move(1);
    await move(60_000);
    equal(calls().length, 1);
    equal(calls()[0].body.fix.latitude, 1);
    equal(document.querySelectorAll("dialog").length, 0);
    equal(readStored(KEY, "sessionStorage"), null);
});

test("A cancelled countdown sends nothing, then or later", async () => {
    const { app, move, said, calls } = await begin();
    countDown(app);
    await move(4000);
    press("Cancel");
    await move(60_000);
    equal(calls().length, 0);
    equal(said, ["Cancelled. Nothing was sent."]);
    equal(readStored(KEY, "sessionStorage"), null);
    resumeCountDown(app);
    await move(60_000);
    equal(calls().length, 0);
});

test("A countdown continues to all groups while vital signs call some of them", async () => {
    const { app, move, calls } = await begin();
    countDown(app);
    await move(2000);
    const since = new Date().toISOString();
    app.store.change((state) => {
        const [group] = state.groups.values();
        group.states.set(state.me.user, {
            user: state.me.user, state: "sos", cause: "vital-signs", since, version: 9,
        });
    });
    await move(60_000);
    equal(calls().length, 1);
});

test("A countdown can be skipped", async () => {
    const { app, move, calls } = await begin();
    countDown(app);
    press("Send it now");
    await move(10_000);
    equal(calls().length, 1);
});

test("A countdown leaves at least three seconds to cancel after a reload", async () => {
    const { app, move, calls } = await begin();
    writeStored(KEY, { user: "ann", since: Date.now() - 4500, id: "x" }, "sessionStorage");
    resumeCountDown(app);
    equal(digit(), "3");
    await move(2999);
    equal(calls().length, 0);
    await move(1);
    await move(1);
    equal(calls().length, 1);
});

test("A countdown from long ago, or from a clock set back, asks the person first", async () => {
    for (const since of [-60_000, 1000]) {
        const { app, move, calls } = await begin();
        writeStored(KEY, { user: "ann", since: Date.now() + since, id: "x" }, "sessionStorage");
        resumeCountDown(app);
        equal(digit(), undefined);
        await move(60_000);
        equal(calls().length, 0);
        equal(sosRequest.current.phase, "stale");
        sosRequest.cancel();
    }
});

test("A countdown of another user is ignored", async () => {
    const { app, move, calls } = await begin();
    writeStored(KEY, { user: "ben", since: Date.now(), id: "x" }, "sessionStorage");
    resumeCountDown(app);
    await move(60_000);
    equal(calls().length, 0);
    equal(sosRequest.current.phase, "none");
});

test("A countdown without a group immediately shows that there is no one to alert", async () => {
    const { app, move, calls } = await begin({ isAlone: true });
    countDown(app);
    equal(document.querySelector("dialog h2").textContent, "No one to alert");
    await move(60_000);
    equal(calls().length, 0);
});

test("A second hold during a countdown calls only once", async () => {
    const { app, move, calls } = await begin();
    countDown(app);
    await move(2000);
    countDown(app);
    await move(60_000);
    equal(calls().length, 1);
});

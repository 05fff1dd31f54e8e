import { restoreOwnPosition } from "/js/own-position.js";
import { readStored, writeStored } from "/js/storage.js";
import { store } from "/js/store.js";
import { equal, test } from "/unit.js";

const KEY = "kith.position";
const HOUR_MS = 60 * 60_000;
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });
const fixOf = (age = 0, latitude = 48) => ({
    latitude, longitude: 16, accuracy: 5, timestamp: new Date(Date.now() - age).toISOString(),
});

async function logIn(user, more = {}) {
    writeStored("kith.me", { user });
    store.change((state) => { state.me = { user, device: "web", ...more }; });
    await pause(200);
}

/// Reopens the page as this user; returns the latitude of the restored position.
async function reopen(user) {
    store.clear();
    await logIn(user);
    restoreOwnPosition();
    return store.state.position?.latitude ?? null;
}

test("My last position is restored on a page without a signal", async () => {
    await logIn("ann");
    store.change((state) => { state.position = fixOf(60_000); });
    await pause(200);
    equal(await reopen("ann"), 48);
});

test("My last position is not shown if half a day old or from a wrong clock", async () => {
    for (const [age, expected] of [[11 * HOUR_MS, 48], [13 * HOUR_MS, null], [-13 * HOUR_MS, null]]) {
        writeStored(KEY, { user: "ann", value: fixOf(age) });
        equal(await reopen("ann"), expected, `${age / HOUR_MS} h:`);
    }
    for (const value of [null, 5, { latitude: 91, longitude: 0, timestamp: "x" }]) {
        writeStored(KEY, { user: "ann", value });
        equal(await reopen("ann"), null, JSON.stringify(value));
    }
});

test("My current position is not replaced by an earlier one", async () => {
    await logIn("ann");
    writeStored(KEY, { user: "ann", value: fixOf(60_000) });
    store.change((state) => { state.position = fixOf(0, 49); });
    restoreOwnPosition();
    equal(store.state.position.latitude, 49);
});

test("My last position is erased for another user, and not kept in the demo", async () => {
    await logIn("ann");
    writeStored(KEY, { user: "ann", value: fixOf() });
    equal([await reopen("eve"), readStored(KEY)], [null, null]);
    store.clear();
    await logIn("dan", { demo: true });
    store.change((state) => { state.position = fixOf(); });
    await pause(200);
    equal(readStored(KEY), null);
});

import { restoreLastKnown, forgetLastKnown } from "/js/last-known.js";
import { newGroup, store } from "/js/store.js";
import { writeStored } from "/js/storage.js";
import { equal, test } from "/unit.js";

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/// Logs in, hears of a group, and keeps it by hiding the page.
async function keep(user, { demo = false } = {}) {
    writeStored("kith.me", { user });
    const fix = { latitude: 46, longitude: 14.5, timestamp: "2026-11-24T12:00:00Z" };
    const state = (name) => ({
        user: name, name, state: "sos", online: true, warnings: [], version: 7,
        since: fix.timestamp, fix,
    });
    store.change((each) => {
        const group = newGroup("g", "Family");
        group.members = ["ann", "ben"].map((name) => ({ user: name, name }));
        for (const name of ["ann", "ben"]) group.states.set(name, state(name));
        Object.assign(each, { me: { user, device: "web", demo }, connection: "live", heardAt: 5 });
        each.groups = new Map([["g", group]]);
    });
    await pause(200);
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    await pause(200);
}

/// Opens the page anew without a network, as `user`; returns what it shows.
async function reopen(user) {
    store.clear();
    writeStored("kith.me", { user });
    store.change((state) => { state.me = { user, device: "web" }; });
    await restoreLastKnown();
    const { groups, heardAt } = store.state;
    return JSON.stringify({
        heardAt,
        members: groups.get("g")?.members.map((member) => member.user),
        states: [...groups.get("g")?.states.values() ?? []].map(({ user: of, online, version }) =>
            [of, online, version]),
    });
}

const nothing = JSON.stringify({ heardAt: null, members: undefined, states: [] });

test("A page without a network shows others as they were, and nothing of oneself", async () => {
    await keep("ann");
    equal(await reopen("ann"), JSON.stringify({
        heardAt: 5, members: ["ann", "ben"], states: [["ben", false, 0]],
    }));
});

test("Somebody else who logs in erases what was kept", async () => {
    await keep("ann");
    equal(await reopen("eve"), nothing);
    equal(await reopen("ann"), nothing);
});

test("The end of a session erases what was kept, also while no page was open", async () => {
    await keep("ann");
    writeStored("kith.me", null);
    store.clear();
    await pause(300);
    equal(await reopen("ann"), nothing);
    await keep("ann");
    await forgetLastKnown();
    equal(await reopen("ann"), nothing);
});

test("Nothing of the demo is kept", async () => {
    await keep("dan", { demo: true });
    equal(await reopen("dan"), nothing);
});

import { restoreLastKnown, forgetLastKnown } from "/js/last-known.js";
import { applyHistory } from "/js/reducer.js";
import { newGroup, store } from "/js/store.js";
import { writeStored } from "/js/storage.js";
import { equal, test } from "/unit.js";

const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/// Logs in, receives a group, and stores it by hiding the page.
async function keep(user, { demo = false, more = {}, heardAt = Date.now(), chat = [] } = {}) {
    writeStored("kith.me", { user });
    const fix = { latitude: 46, longitude: 14.5, timestamp: "2026-11-24T12:00:00Z" };
    const state = (name) => ({
        user: name, name, state: "sos", online: true, warnings: [], version: 7,
        since: fix.timestamp, fix, ...more,
    });
    store.change((each) => {
        const group = newGroup("g", "Family");
        group.members = ["ann", "ben"].map((name) => ({ user: name, name }));
        for (const name of ["ann", "ben"]) group.states.set(name, state(name));
        for (const message of chat) group.chat.set(message.id, message);
        Object.assign(each, { me: { user, device: "web", demo }, connection: "live", heardAt });
        each.groups = new Map([["g", group]]);
    });
    await pause(200);
    Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    await pause(200);
}

/// Reopens the page without a network, as `user`; returns what it shows.
async function reopen(user) {
    store.clear();
    writeStored("kith.me", { user });
    store.change((state) => { state.me = { user, device: "web" }; });
    await restoreLastKnown();
    const { groups, heardAt } = store.state;
    return JSON.stringify({
        isHeard: heardAt !== null,
        members: groups.get("g")?.members.map((member) => member.user),
        states: [...groups.get("g")?.states.values() ?? []].map(({ user: of, online, version }) =>
            [of, online, version]),
    });
}

const nothing = JSON.stringify({ isHeard: false, members: undefined, states: [] });

test("An offline page shows the others' last state, and nothing about me", async () => {
    await keep("ann");
    equal(await reopen("ann"), JSON.stringify({
        isHeard: true, members: ["ann", "ben"], states: [["ben", false, 0]],
    }));
});

test("A login as another user erases the kept state", async () => {
    await keep("ann");
    equal(await reopen("eve"), nothing);
    equal(await reopen("ann"), nothing);
});

test("A session's end erases the kept state, even while no page is open", async () => {
    await keep("ann");
    writeStored("kith.me", null);
    store.clear();
    await pause(300);
    equal(await reopen("ann"), nothing);
    await keep("ann");
    await forgetLastKnown();
    equal(await reopen("ann"), nothing);
});

test("No state is kept in the demo", async () => {
    await keep("dan", { demo: true });
    equal(await reopen("dan"), nothing);
});

const DAY_MS = 24 * 60 * 60_000;
const ben = () => store.state.groups.get("g").states.get("ben");
const messages = (ids) => ids.map((n) => ({
    id: `m${n}`, kind: "message", group: "g", from: "ben", name: "Ben", text: `${n}`,
    at: "2026-11-24T12:00:00Z",
}));
const chatOf = () => [...store.state.groups.get("g").chat.values()].map(({ text }) => Number(text));

test("A kept state a day old, or from a clock far ahead, is erased and not shown", async () => {
    for (const heardAt of [Date.now() - DAY_MS - 1000, Date.now() + DAY_MS + 60_000]) {
        await keep("ann", { heardAt });
        equal(await reopen("ann"), nothing);
    }
    await keep("ann", { heardAt: Date.now() - DAY_MS + 60_000 });
    equal((await reopen("ann")) === nothing, false);
});

test("A kept position ends with its sharing, except on a journey and in an SOS", async () => {
    const until = (ms) => new Date(Date.now() + ms).toISOString();
    for (const [state, ms, isShown] of [
        ["active", -1000, false], ["active", 60_000, true], ["routing", -1000, true],
        ["sos", -1000, true],
    ]) {
        await keep("ann", { more: { state, until: until(ms) } });
        await reopen("ann");
        equal([state, ms, Boolean(ben().fix)], [state, ms, isShown]);
    }
});

test("A phone number is kept with its owner's position until the session ends", async () => {
    await keep("ann", { more: { phone: "+43 660 1" } });
    await reopen("ann");
    equal(ben().phone, "+43 660 1");
    await forgetLastKnown();
    equal(await reopen("ann"), nothing);
});

test("The newest messages are kept, except those the service no longer has", async () => {
    const all = messages(Array.from({ length: 40 }, (_, n) => 100 + n));
    await keep("ann", { chat: all });
    await reopen("ann");
    equal(chatOf(), all.slice(-30).map(({ text }) => Number(text)));
    applyHistory("g", { messages: all.slice(-3).filter(({ text }) => text !== "138").reverse(), next: null });
    equal(chatOf(), [137, 139]);
});

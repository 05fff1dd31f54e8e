import { presenceOf, presenceWords } from "/js/known/presence.js";
import { shown } from "/js/known/shown.js";
import { makeRow } from "/js/members/row.js";
import { makeWatchers } from "/js/people/watchers.js";
import { sharingControl } from "/js/sharing.js";
import { countDown } from "/js/sos-countdown.js";
import { sosRequest } from "/js/sos-request.js";
import { sosButton } from "/js/sos.js";
import { newGroup, store } from "/js/store.js";
import { equal, network, stopTime, test } from "/unit.js";

/// Opens Ann's page, in a group with Maya. The service answers if `isUp`.
async function begin({ isUp = true, maya = {}, mine = {}, reached = [], permission } = {}) {
    navigator.vibrate = () => true;
    const move = stopTime();
    const at = (seconds) => new Date(Date.now() - seconds * 1000).toISOString();
    const fix = { latitude: 46, longitude: 14, timestamp: at(1) };
    const asked = network(({ path }) => {
        if (!isUp) return undefined;
        if (path === "/api/members.get") {
            return [200, { members: [{ user: "ann", reached: [] }, { user: "maya", reached }], next: null }];
        }
        return [200, path === "/api/sharing.list" ? { watchers: [] } : {}];
    });
    navigator.geolocation.watchPosition = (_, fail) => {
        if (permission === "denied") queueMicrotask(() => fail({ code: 1 }));
        return 1;
    };
    navigator.geolocation.getCurrentPosition = (_, fail) => queueMicrotask(() => fail({ code: 1 }));
    const family = newGroup("g", "Family");
    family.members = [{ user: "ann", name: "Ann" }, { user: "maya", name: "Maya" }];
    const state = (user, more) => ({
        user, name: user, state: "active", online: true, warnings: [], fix: null, since: at(60),
        responses: [], version: 1, ...more,
    });
    family.states.set("ann", state("ann", mine));
    family.states.set("maya", state("maya", maya));
    const said = [];
    const app = {
        store, said, people: { show: () => false }, go: () => {},
        call: async (method) => (await fetch(`/api/${method}`, { method: "POST" })).json(),
        say: (text, kind) => said.push([kind, text]),
    };
    document.body.append(h("div", "header"));
    store.change((each) => Object.assign(each, {
        me: { user: "ann", device: "web", root: "kith" }, isLoaded: true, position: null,
        groups: new Map([["g", family]]), group: "g", connection: isUp ? "live" : "waiting",
    }));
    await move(1);
    return { move, app, family, asked, at, fix, state };
}

function h(tag, name) {
    const element = document.createElement(tag);
    element.className = name;
    return element;
}

const texts = (selector) => [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility()).map((each) => each.textContent);

/// Calls for help, and makes the service's state follow.
async function call({ app, move, family, state, at }) {
    document.querySelector(".header").append(sosButton(app));
    await move(1);
    sosRequest.call(null);
    await move(200);
    if (sosRequest.current.phase === "on") {
        const mine = state("ann", { state: "sos", since: at(0), version: 2 });
        store.change(() => family.states.set("ann", mine));
    }
    await move(1000);
}

test("The countdown promises no one when all other members' pages are closed", async () => {
    const { app, move } = await begin({ maya: { leftAt: new Date().toISOString() } });
    countDown(app);
    await move(200);
    equal(texts(".sos-words p"), [
        "Your SOS goes to Family.",
        "No one there has Kith open, and there is no other way to reach them.",
        "Also call for help by phone.",
        "Your position is not known yet. It will be sent as soon as it is.",
    ]);
});

test("The countdown names a member's working channel once the service reports it", async () => {
    const { app, move } = await begin({
        maya: { online: false }, reached: [{ by: "push", workedAt: "2026-01-01T00:00:00Z" }],
    });
    countDown(app);
    equal(texts(".sos-words p")[1], "It is not known who is reachable now.");
    await move(200);
    equal(texts(".sos-words p")[1], "Reachable now: Maya (push).");
});

test("The SOS bar does not claim that anyone can see it when no one is reachable", async () => {
    const page = await begin({ maya: { online: false } });
    await page.move(4000);
    await call(page);
    const expected = ["Sent to Family.",
        "No one there has Kith open, and there is no other way to reach them.",
        "Also call for help by phone.", "No one has answered yet."];
    equal(texts(".own-sos .detail p"),
        [...expected, "They can't see where you are: no position from you has arrived."]);
});

test("The SOS bar names the members it reaches through an open page", async () => {
    const page = await begin();
    await page.move(4000);
    await call(page);
    equal(texts(".own-sos .detail p").slice(0, 3),
        ["Sent to Family.", "Reachable now: Maya (connected).", "No one has answered yet."]);
});

test("The SOS bar shows that nothing was sent when the server is down", async () => {
    const page = await begin({ isUp: false });
    await call(page);
    equal(page.app.said, []);
    equal(texts(".own-sos strong"), ["SOS not sent yet. Trying…"]);
    equal(texts(".own-sos .detail p").includes("Also call for help by phone."), true);
    equal(texts(".own-sos .detail p").some((text) => /[Rr]eachable|Sent to|They can see/.test(text)), false);
});

test("The SOS bar shows that the rest is unknown after the connection is lost", async () => {
    const page = await begin();
    await page.move(4000);
    await call(page);
    store.change((state) => { state.connection = "waiting"; });
    await page.move(1000);
    equal(texts(".own-sos .detail p"),
        ["Sent to Family.", "No connection: this may be out of date."]);
});

test("The SOS bar shows that no one sees me when the permission is refused", async () => {
    const page = await begin({ permission: "denied" });
    await call(page);
    equal(texts(".own-sos .detail p").at(-1),
        "They can't see where you are: this page is not allowed to use your location.");
});

// MARK: Every phase, whatever is known

const WORKED = [{ by: "push", workedAt: "2026-01-01T00:00:00Z" }];
/// `maya`: her state; `ways`: her channels, as the service has them; `fix`: the age in seconds of
/// my position in the group; `isShown`: whether the group sees where I am.
const CONDITIONS = {
    "her page is open": { maya: { online: true }, ways: [], fix: 1 },
    "her page is closed": { maya: { online: true, leftAt: "2026-01-01T00:00:00Z" }, ways: [], fix: 1 },
    "she is offline, without a channel": { maya: { online: false }, ways: [], fix: 1 },
    "she is offline, a channel has worked": { maya: { online: false }, ways: WORKED, fix: 1 },
    "she is offline, the service was not asked": { maya: { online: false }, fix: 1 },
    "the server is down": { maya: { online: true }, ways: WORKED, fix: 1, connection: "waiting" },
    "no device sends": { maya: { online: true }, ways: [], fix: 900 },
    "there was never a position": { maya: { online: true }, ways: [] },
    "sharing has ended": { maya: { online: true }, ways: [], fix: 900, isShown: false },
};

/// Checks the whole page's text under each condition.
async function checkAll(page, { isSent, isSeen = false }) {
    const { app, family, state, at, move } = page;
    const row = makeRow(app, { makeRoom() {} }, { member: family.states.get("maya") });
    const watchers = makeWatchers(app, () => {});
    document.body.append(row.element, sharingControl(app), watchers.element);
    let version = 10;
    for (const [name, known] of Object.entries(CONDITIONS)) {
        const { maya, ways, fix, connection = "live", isShown = true } = known;
        const mine = isSent ? "sos" : isShown ? "active" : "inactive";
        store.change((each) => {
            version += 1;
            each.connection = connection;
            each.reached = new Map(ways
                ? [["g", { at: Date.now(), ways: new Map([["maya", ways]]) }]] : []);
            family.states.set("maya", state("maya", maya));
            family.states.set("ann", state("ann", {
                state: mine, version, since: family.states.get("ann").since, fix: fix
                    ? { latitude: 46, longitude: 14, timestamp: at(fix) } : null,
            }));
        });
        await move(1000);
        row.update({
            member: family.states.get("maya"), now: Date.now(), isKnown: connection === "live",
            group: "g", colour: "#000",
        });
        watchers.update([], {});
        const words = document.body.innerText;
        const says = (pattern) => pattern.test(words);
        const isLive = connection === "live";
        const isHere = maya.online && !maya.leftAt;
        const isNear = isHere || ways === WORKED;
        const isFresh = fix !== undefined && fix < 120 && mine !== "inactive";
        const isAsked = isSent && !isSeen && isLive;
        equal(says(/Reachable now: Maya/), isAsked && isNear, `${name}: reachable`);
        equal(says(/Also call for help by phone/), !isSent || isAsked && !isNear, `${name}: by phone`);
        equal(says(/No one there has Kith open/), isAsked && !isNear && ways !== undefined,
            `${name}: no one`);
        equal(says(/Sent to Family/), isSent && !isSeen, `${name}: sent`);
        equal(says(/No one has answered yet/), isAsked, `${name}: answered`);
        equal(says(/Seen by Maya/), isSeen, `${name}: seen`);
        equal(says(/They can see where you are/), isSent && isLive && isFresh, `${name}: they see`);
        equal(says(/Maya can see you, updated/), isLive && isFresh, `${name}: Maya sees`);
        const presence = texts(".presence")[0];
        equal(presence === "Online", isLive && isHere, `${name}: online`);
        equal(presence.startsWith("Last connected"), isLive && "leftAt" in maya, `${name}: closed`);
        equal(says(/No connection: this may be out of date/), isSent && !isLive, `${name}: since`);
        const isOver = isLive && !isSent && !isShown;
        equal(says(/^No one sees where you go\. Your last position stays visible to Family\.$/m),
            isOver, `${name}: stays`);
        equal(says(/^No one sees where you are\.$/m), isLive && !isOver, `${name}: nobody sees`);
    }
}

test("Every sentence about an unsent SOS is true under every condition", async () => {
    const page = await begin({ isUp: false });
    await call(page);
    await checkAll(page, { isSent: false });
});

test("Every sentence about an unanswered SOS is true under every condition", async () => {
    const page = await begin();
    await call(page);
    await checkAll(page, { isSent: true });
});

test("Every sentence about an acknowledged SOS is true under every condition", async () => {
    const page = await begin();
    await call(page);
    store.change(() => page.family.alerts.set("a1", {
        id: "a1", kind: "sos", group: "g", user: "ann", name: "Ann", text: "", responses: [],
        at: page.family.states.get("ann").since, acknowledgedBy: ["maya"],
    }));
    await checkAll(page, { isSent: true, isSeen: true });
});

test("An SOS whose end is not sent shows that the groups do not know", async () => {
    const page = await begin();
    await call(page);
    network(() => undefined);
    sosRequest.end();
    await page.move(3000);
    equal(texts(".own-sos strong"), ["Your groups do not know yet that you are safe. Trying…"]);
    equal(texts(".own-sos .detail p").some((text) => /[Rr]eachable|Sent to|They can see/.test(text)),
        false);
});

test("A member row shows the presence for each state of the connection", async () => {
    const { app, family, at, state } = await begin();
    const row = makeRow(app, { makeRoom() {} }, { member: family.states.get("maya") });
    document.body.append(row.element);
    const say = (member, isKnown = true) => {
        row.update({
            member: state("maya", member), now: Date.now(), isKnown, group: "g", colour: "#000",
        });
        return texts(".presence")[0];
    };
    equal(say({}), "Online");
    equal(say({ leftAt: at(60) }), "Last connected 1\u00a0min ago");
    equal(say({ online: false, leftAt: at(60) }), "Offline");
    equal(say({ isUnknown: true, online: false }), "Status unknown");
    equal(say({}, false), "Status unknown");
    equal(texts(".member-row .warning"), []);
    say({ warnings: ["clock"] });
    equal(texts(".member-row .warning"), ["No position: the phone's clock is wrong"]);
});

test("A member is no longer present once their last connection has ended", () => {
    equal(presenceOf({ online: true }, true), { kind: "here" });
    equal(presenceOf({ online: true, leftAt: "2026-01-01T00:00:00Z" }, true).kind, "left");
    equal(presenceWords(presenceOf({ online: true }, false)), "Status unknown");
});

test("Both views show that the last position stays after sharing has ended", async () => {
    const { app, at, family, state, move } = await begin({ mine: { state: "inactive" } });
    const fix = { latitude: 46, longitude: 14, timestamp: at(600) };
    const watchers = makeWatchers(app, () => {});
    document.body.append(sharingControl(app), watchers.element);
    const both = async () => {
        await move(1000);
        watchers.update([], {});
        return [texts(".sharing-words")[0].split(",")[0], texts("[aria-labelledby=watchers-title] p")[0]];
    };
    equal(await both(), ["No one in Family can see where you are.", "No one sees where you are."]);
    store.change(() => family.states.set("ann", state("ann", { state: "inactive", fix, version: 2 })));
    equal(await both(), ["Maya can see your last position",
        "No one sees where you go. Your last position stays visible to Family."]);
    // Without other members in the group no one can see it.
    store.change(() => family.members.splice(1));
    equal((await both())[1], "No one sees where you are.");
});

test("A paused group is distinguished from one whose state is unknown", async () => {
    const { family, state, fix } = await begin();
    equal(shown().now.map(({ name }) => name), ["Family"]);
    family.states.set("ann", state("ann", { state: "inactive", fix }));
    equal([shown().now.length, shown().before.length], [0, 1]);
    family.states.delete("ann");
    equal(shown().isKnown, false);
});

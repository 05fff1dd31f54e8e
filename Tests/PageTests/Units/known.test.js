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

/// Ann's page, in a group with Maya. The service answers, or not.
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

/// Calls for help, and has the service's state follow.
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

test("The countdown, every page of the others closed, promises nobody", async () => {
    const { app, move } = await begin({ maya: { leftAt: new Date().toISOString() } });
    countDown(app);
    await move(200);
    equal(texts(".sos-words p"), [
        "Your SOS goes to Family.",
        "Nobody there has Kith open, and there is no other way to reach them.",
        "Call for help by phone, too.",
        "Your position is not known yet. It follows as soon as it is.",
    ]);
});

test("The countdown, a channel of another member works, names it once the service has said so", async () => {
    const { app, move } = await begin({
        maya: { online: false }, reached: [{ by: "push", workedAt: "2026-01-01T00:00:00Z" }],
    });
    countDown(app);
    equal(texts(".sos-words p")[1], "It is not known who can be reached now.");
    await move(200);
    equal(texts(".sos-words p")[1], "Within reach now: Maya (push).");
});

test("The bar, nobody within reach, do not say that anybody can see it", async () => {
    const page = await begin({ maya: { online: false } });
    await page.move(4000);
    await call(page);
    const expected = ["Sent to Family.",
        "Nobody there has Kith open, and there is no other way to reach them.",
        "Call for help by phone, too.", "Nobody has answered yet."];
    equal(texts(".own-sos .detail p"),
        [...expected, "They do not see where you are: no position of yours has arrived."]);
});

test("The bar, a page is open, name whom it reaches", async () => {
    const page = await begin();
    await page.move(4000);
    await call(page);
    equal(texts(".own-sos .detail p").slice(0, 3),
        ["Sent to Family.", "Within reach now: Maya (connected).", "Nobody has answered yet."]);
});

test("The bar, the server is down, says that nothing was sent", async () => {
    const page = await begin({ isUp: false });
    await call(page);
    equal(page.app.said, []);
    equal(texts(".own-sos strong"), ["SOS not sent yet. Trying…"]);
    equal(texts(".own-sos .detail p").includes("Call for help by phone, too."), true);
    equal(texts(".own-sos .detail p").some((text) => /[Ww]ithin reach|Sent to|They can see/.test(text)), false);
});

test("The bar, the connection is lost afterwards, says that the rest is not known", async () => {
    const page = await begin();
    await page.move(4000);
    await call(page);
    store.change((state) => { state.connection = "waiting"; });
    await page.move(1000);
    equal(texts(".own-sos .detail p"),
        ["Sent to Family.", "No connection: what has happened since is not known."]);
});

test("The bar, the permission is refused, says that nobody sees where I am", async () => {
    const page = await begin({ permission: "denied" });
    await call(page);
    equal(texts(".own-sos .detail p").at(-1),
        "They do not see where you are: this page may not use your location.");
});

// MARK: Every phase, whatever is known

const WORKED = [{ by: "push", workedAt: "2026-01-01T00:00:00Z" }];
/// `maya`: her state; `ways`: what the service said of her channels; `fix`: how old the position is
/// that the group has of me; `isShown`: whether the group sees where I am.
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

/// Checks what the whole page says under each condition.
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
        equal(says(/Within reach now: Maya/), isAsked && isNear, `${name}: within reach`);
        equal(says(/Call for help by phone/), !isSent || isAsked && !isNear, `${name}: by phone`);
        equal(says(/Nobody there has Kith open/), isAsked && !isNear && ways !== undefined,
            `${name}: nobody`);
        equal(says(/Sent to Family/), isSent && !isSeen, `${name}: sent`);
        equal(says(/Nobody has answered yet/), isAsked, `${name}: answered`);
        equal(says(/Seen by Maya/), isSeen, `${name}: seen`);
        equal(says(/They can see where you are/), isSent && isLive && isFresh, `${name}: they see`);
        equal(says(/Maya can see you, updated/), isLive && isFresh, `${name}: Maya sees`);
        const presence = texts(".presence")[0];
        equal(presence === "Online", isLive && isHere, `${name}: online`);
        equal(presence.startsWith("Last connected"), isLive && "leftAt" in maya, `${name}: closed`);
        equal(says(/what has happened since is not known/), isSent && !isLive, `${name}: since`);
        const isOver = isLive && !isSent && !isShown;
        equal(says(/^Nobody sees where you go\. Your last position stays visible to Family\.$/m),
            isOver, `${name}: stays`);
        equal(says(/^Nobody sees where you are\.$/m), isLive && !isOver, `${name}: nobody sees`);
    }
}

test("Every sentence, an SOS that is not sent, is so under every condition", async () => {
    const page = await begin({ isUp: false });
    await call(page);
    await checkAll(page, { isSent: false });
});

test("Every sentence, an SOS that nobody has answered, is so under every condition", async () => {
    const page = await begin();
    await call(page);
    await checkAll(page, { isSent: true });
});

test("Every sentence, an SOS that was seen, is so under every condition", async () => {
    const page = await begin();
    await call(page);
    store.change(() => page.family.alerts.set("a1", {
        id: "a1", kind: "sos", group: "g", user: "ann", name: "Ann", text: "", responses: [],
        at: page.family.states.get("ann").since, acknowledgedBy: ["maya"],
    }));
    await checkAll(page, { isSent: true, isSeen: true });
});

test("An SOS, its end not sent, says that the groups do not know it", async () => {
    const page = await begin();
    await call(page);
    network(() => undefined);
    sosRequest.end();
    await page.move(3000);
    equal(texts(".own-sos strong"), ["Your groups do not know yet that you are safe. Trying…"]);
    equal(texts(".own-sos .detail p").some((text) => /[Ww]ithin reach|Sent to|They can see/.test(text)),
        false);
});

test("A member row, each state of the connection, says whether the person is there", async () => {
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
    equal(say({ isUnknown: true, online: false }), "Not known now");
    equal(say({}, false), "Not known now");
    equal(texts(".member-row .warning"), []);
    say({ warnings: ["clock"] });
    equal(texts(".member-row .warning"), ["No position: the clock of the phone is wrong"]);
});

test("Presence, the last connection ended, is no longer here", () => {
    equal(presenceOf({ online: true }, true), { kind: "here" });
    equal(presenceOf({ online: true, leftAt: "2026-01-01T00:00:00Z" }, true).kind, "left");
    equal(presenceWords(presenceOf({ online: true }, false)), "Not known now");
});

test("Sharing has ended, both views say that the last position stays", async () => {
    const { app, at, family, state, move } = await begin({ mine: { state: "inactive" } });
    const fix = { latitude: 46, longitude: 14, timestamp: at(600) };
    const watchers = makeWatchers(app, () => {});
    document.body.append(sharingControl(app), watchers.element);
    const both = async () => {
        await move(1000);
        watchers.update([], {});
        return [texts(".sharing-words")[0].split(",")[0], texts("[aria-labelledby=watchers-title] p")[0]];
    };
    equal(await both(), ["Nobody in Family can see where you are.", "Nobody sees where you are."]);
    store.change(() => family.states.set("ann", state("ann", { state: "inactive", fix, version: 2 })));
    equal(await both(), ["Maya can see your last position",
        "Nobody sees where you go. Your last position stays visible to Family."]);
    // Without anybody else in the group there is nobody to see it.
    store.change(() => family.members.splice(1));
    equal((await both())[1], "Nobody sees where you are.");
});

test("Whom I am shown to, a group is paused or not heard of, is told apart", async () => {
    const { family, state, fix } = await begin();
    equal(shown().now.map(({ name }) => name), ["Family"]);
    family.states.set("ann", state("ann", { state: "inactive", fix }));
    equal([shown().now.length, shown().before.length], [0, 1]);
    family.states.delete("ann");
    equal(shown().isKnown, false);
});

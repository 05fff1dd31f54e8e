import { helpCard } from "/js/help/card.js";
import { rehearse, rehearsal, makeRehearsalBar } from "/js/help/rehearsal.js";
import { emergencyOf, isSeen } from "/js/sos-state.js";
import { newGroup, store } from "/js/store.js";
import { equal, network, stopTime, test } from "/unit.js";

const SINCE = "2027-01-15T08:00:00Z";

/// Shows Ann the help card for Ben, who is in an SOS; Cleo is also in their group.
function begin({ demo = false, ben = {}, alert = {} } = {}) {
    const move = stopTime();
    const asked = network(({ body }) => [200, { alert: { ...call, acknowledgedBy: ["ann"] }, body }]);
    const group = newGroup("g", "Family");
    group.members = ["ann", "ben", "cleo"]
        .map((user) => ({ user, name: user[0].toUpperCase() + user.slice(1) }));
    const call = {
        id: "a1", kind: "sos", group: "g", user: "ben", name: "Ben", at: SINCE, text: "",
        acknowledgedBy: [], responses: [], fix: null, number: "112", ...alert,
    };
    group.alerts.set("a1", call);
    group.states.set("ben", {
        user: "ben", name: "Ben", state: "sos", since: SINCE, version: 1, warnings: [], fix: {
            latitude: 47.8, longitude: 13.04, battery: 12,
            timestamp: new Date(Date.now() - 180_000).toISOString(),
        },
        responses: [], ...ben,
    });
    store.change((state) => Object.assign(state, {
        me: { user: "ann", device: "web", root: "kith", demo }, group: "g",
        groups: new Map([["g", group]]), position: null, connection: "live",
    }));
    const said = [];
    const app = {
        store, say: (words) => said.push(words),
        call: async (method, body) => (await fetch(`/api/${method}`, {
            method: "POST", body: JSON.stringify(body),
        })).json(),
        live: { apply: { alert: (told) => group.alerts.set(told.id, { ...call, ...told }) } },
    };
    const card = helpCard(app, "ben");
    document.body.append(card.element);
    return { move, asked, app, said, card, group };
}

const visible = (card, selector) => [...card.element.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility()).map((each) => each.textContent);
const button = (card, name) => [...card.element.querySelectorAll("button")]
    .find((each) => each.getAttribute("aria-label") === name);

test("The help card has the ways to help, and shows how old the position is", () => {
    const { card } = begin({ ben: { phone: "+43 660 123-4567" } });
    const links = [...card.element.querySelectorAll("a")]
        .filter((each) => each.checkVisibility()).map((each) => each.getAttribute("href"));
    equal(links.filter((each) => each.startsWith("tel:")), ["tel:+436601234567", "tel:112"]);
    equal(links.some((each) => each.includes("47.800000")), true);
    equal(visible(card, ".help-age"), ["This position is old: 3\u00a0min ago."]);
    equal(visible(card, ".help-battery").length, 1);
});

test("The help card without number, phone or position has only the usual number", () => {
    const { card } = begin({ ben: { fix: null }, alert: { number: undefined } });
    equal(visible(card, "a"), ["Call 112"]);
    equal(visible(card, ".help-age"), ["No position is known."]);
    equal(Boolean(button(card, "I called the emergency number")), true);
});

test("An answer is sent to the group, shown, and taken back", async () => {
    const { card, asked, group, move } = begin();
    button(card, "I’m coming").click();
    await move(1);
    equal(asked.at(-1).body, { alert: "a1", kind: "coming" });
    const state = group.states.get("ben");
    const at = SINCE;
    state.responses = [{ user: "ann", name: "Ann", kind: "coming", at },
        { user: "cleo", name: "Cleo", kind: "called", at }];
    card.update();
    equal(button(card, "I’m coming").getAttribute("aria-pressed"), "true");
    equal(visible(card, ".help-coming")[0].startsWith("On the way: you ("), true);
    equal(visible(card, ".help-called")[0].startsWith("112 was called by Cleo ("), true);
    button(card, "I’m coming").click();
    await move(1);
    equal(asked.at(-1).body, { alert: "a1", kind: "not-coming" });
});

test("A report that the number was called waits five seconds and can be undone", async () => {
    const { card, asked, group, move } = begin();
    const press = () => button(card, "I called 112").click();
    const isPressed = () => button(card, "I called 112").getAttribute("aria-pressed");
    press();
    await move(4999);
    card.update();
    equal([isPressed(), visible(card, ".help-undo"), asked], ["true", ["Undo"], []]);
    press();
    await move(60_000);
    card.update();
    equal([isPressed(), asked], ["false", []]);
    press();
    await move(5000);
    equal(asked.map(({ body }) => body), [{ alert: "a1", kind: "called" }]);
    group.states.get("ben").responses = [{ user: "ann", name: "Ann", kind: "called", at: SINCE }];
    card.update();
    // Others rely on it now.
    press();
    await move(60_000);
    equal([isPressed(), visible(card, ".help-undo"), asked.length], ["true", [], 1]);
});

test("A person without an SOS has no help card", () => {
    const { card, group } = begin();
    equal(card.element.checkVisibility(), true);
    group.states.get("ben").state = "active";
    card.update();
    equal(card.element.checkVisibility(), false);
});

test("An answer in the demo stays in this tab", async () => {
    const { card, asked, group, move } = begin({ demo: true });
    // Another visitor, with the same account.
    group.alerts.set("a1", { ...group.alerts.get("a1"), acknowledgedBy: ["ann", "cleo"] });
    equal(isSeen(emergencyOf("ben")), false);
    button(card, "I’m coming").click();
    await move(1);
    card.update();
    equal(isSeen(emergencyOf("ben")), true);
    equal(button(card, "I’m coming").getAttribute("aria-pressed"), "true");
    button(card, "I’m coming").click();
    await move(1);
    equal(button(card, "I’m coming").getAttribute("aria-pressed"), "false");
    equal(asked, []);
});

test("A rehearsal counts down, answers itself, reads no sensor and sends nothing", async () => {
    const { asked, app, move, said } = begin({ demo: true });
    for (const name of ["getCurrentPosition", "watchPosition"]) {
        Geolocation.prototype[name] = () => { throw new Error("It asked where it is."); };
    }
    const bar = makeRehearsalBar(app);
    document.body.append(bar.element);
    rehearse(app);
    await move(4999);
    equal(rehearsal.isOn, false);
    await move(1);
    equal(rehearsal.isOn, true);
    equal(document.querySelectorAll("dialog").length, 0);
    await move(10_000);
    const steps = [...bar.element.querySelectorAll("li")].map((each) => each.lastChild.textContent);
    equal(steps, ["Alerted now: Ben and Cleo.", "Cleo has seen it.", "Ben is coming."]);
    equal(bar.element.textContent.includes("Rehearsal"), true);
    rehearsal.end(app);
    equal(bar.element.hidden, true);
    await move(60_000);
    equal([asked, said.length], [[], 1]);
});

test("A cancelled rehearsal does not begin", async () => {
    const { app, move, said } = begin({ demo: true });
    rehearse(app);
    document.querySelector("dialog .sos-cancel").click();
    await move(60_000);
    equal([rehearsal.isOn, said], [false, ["Cancelled. Nothing was sent."]]);
});

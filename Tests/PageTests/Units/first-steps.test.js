import { makeShareStep } from "/js/first-steps/share.js";
import { hasBeenShown, isNewcomer, noteShown } from "/js/first-steps/state.js";
import { newGroup, store } from "/js/store.js";
import { equal, settle, test } from "/unit.js";

test("A newcomer has no group, or has never shared a position with one", () => {
    const group = newGroup("g", "Family");
    const state = { me: { user: "ann" }, groups: new Map(), connection: "waiting" };
    equal(isNewcomer(state), null, "not known");
    state.connection = "live";
    equal(isNewcomer(state), true, "no group");
    state.groups.set("g", group);
    equal(isNewcomer(state), null, "the own state has not come yet");
    group.states.set("ann", { state: "inactive", fix: null });
    equal(isNewcomer(state), true);
    group.states.set("ann", { state: "inactive", fix: { latitude: 1, longitude: 2 } });
    equal(isNewcomer(state), false, "has shared before");
    group.states.set("ann", { state: "active", fix: null });
    equal(isNewcomer(state), false);
    state.groups.clear();
    state.me.demo = true;
    equal(isNewcomer(state), false, "the demo");
});

test("First steps are marked as shown for each account, without its name", () => {
    localStorage.clear();
    equal(hasBeenShown({ user: "ann" }), false);
    noteShown({ user: "ann" });
    noteShown({ user: "ann" });
    equal([hasBeenShown({ user: "ann" }), hasBeenShown({ user: "ben" })], [true, false]);
    equal(Object.values(localStorage).some((text) => text.includes("ann")), false);
    for (let n = 0; n < 100; n += 1) noteShown({ user: `user-${n}` });
    equal(JSON.parse(localStorage["kith.first-steps"]).length, 30);
});

/// Presses "Share my location" in a browser that answers with `answer(arrive,fail)`.
async function share(answer) {
    navigator.geolocation.watchPosition = (arrive, fail) => {
        queueMicrotask(() => answer(arrive, fail));
        return 1;
    };
    store.change((state) => Object.assign(state, {
        me: { user: "ann", device: "web" }, groups: new Map([["g", newGroup("g", "Family")]]),
    }));
    let steps = 0;
    const step = makeShareStep({ call: async () => ({}) }, () => { steps += 1; });
    const place = document.createElement("div");
    place.append(...step.content);
    document.body.append(place);
    place.querySelector("form button[type=submit]").click();
    await settle();
    const visible = [...place.querySelectorAll("p, button")]
        .filter((each) => each.checkVisibility()).map((each) => each.textContent);
    return { steps, visible };
}

test("The share step reports the browser's refusal and does not go on", async () => {
    const { steps, visible } = await share((_, fail) => fail({ code: 1 }));
    equal(steps, 0);
    equal(visible.includes("This site isn't allowed to use your location."), true);
    equal(visible.includes("This page sends no position until you allow it."), true);
    equal(visible.includes("Share my location"), false);
});

test("The share step goes on when the browser agrees", async () => {
    const { steps } = await share((arrive) => arrive({
        coords: { latitude: 46, longitude: 14, accuracy: 5 }, timestamp: Date.now(),
    }));
    equal(steps, 1);
});

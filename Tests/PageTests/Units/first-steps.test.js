import { hasBeenShown, isNewcomer, noteShown } from "/js/first-steps/state.js";
import { newGroup } from "/js/store.js";
import { equal, test } from "/unit.js";

test("A newcomer is in no group, or in groups that have never seen where they are", () => {
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

test("That they have been shown is kept for each account, without its name", () => {
    localStorage.clear();
    equal(hasBeenShown({ user: "ann" }), false);
    noteShown({ user: "ann" });
    noteShown({ user: "ann" });
    equal([hasBeenShown({ user: "ann" }), hasBeenShown({ user: "ben" })], [true, false]);
    equal(Object.values(localStorage).some((text) => text.includes("ann")), false);
    for (let n = 0; n < 100; n += 1) noteShown({ user: `user-${n}` });
    equal(JSON.parse(localStorage["kith.first-steps"]).length, 30);
});

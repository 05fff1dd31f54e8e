import { doneBy, partNow } from "/js/demo/story.js";
import { newGroup, store } from "/js/store.js";
import { equal, test } from "/unit.js";

const SINCE = "2026-09-01T10:00:00Z";

function member(user, more = {}) {
    return {
        user, name: user.toUpperCase(), state: "active", warnings: [], since: SINCE, fix: null, ...more,
    };
}

/// Makes a group with the visitor and these people.
function story(...others) {
    const group = newGroup("g", "Demo");
    group.members = [member("dan"), ...others].map(({ user, name }) => ({ user, name }));
    for (const each of [member("dan"), ...others]) group.states.set(each.user, each);
    store.clear();
    store.change((state) => {
        Object.assign(state, { me: { user: "dan" }, group: "g", groups: new Map([["g", group]]) });
    });
    return { state: store.state, group };
}

const ids = (state, ...done) => partNow(state, new Set(done)).id;

test("The demo story shows the parts that exist, in order, and waits for others", () => {
    const goal = { destination: { latitude: 1, longitude: 2, name: "home" }, eta: SINCE };
    const ann = member("ann", { state: "routing", journey: goal });
    const { state, group } = story(ann);
    equal(partNow(state, new Set()), { id: "hello", count: 1 });
    equal(partNow(state, new Set(["hello"])),
        { id: "journey", name: "ANN", user: "ann", place: "home" });
    equal(ids(state, "hello", "journey"), "wait");
    group.chat.set("1", {});
    equal(ids(state, "hello", "journey"), "chat");
    ann.warnings.push("stuck");
    equal(ids(state, "hello", "journey"), "stuck");
    equal(ids(state, "hello"), "stuck", "a stuck person is not on the way");
    equal(ids(story().state), "wait", "no one is there yet");
    equal(partNow(story(ann, member("ben")).state, new Set()), { id: "hello", count: 2 });
    const unknown = story(ann);
    unknown.group.members = [];
    equal(ids(unknown.state, "stuck"), "wait", "the members are not known yet");
});

test("The demo story puts a call for help first until it is over, and shows it once", () => {
    const cleo = member("cleo", { state: "sos" });
    const { state, group } = story(member("ann"), cleo);
    equal(partNow(state, new Set()), { id: "call", name: "CLEO", user: "cleo" });
    group.alerts.set("1", {
        id: "1", kind: "sos", user: "cleo", group: "g", at: SINCE, acknowledgedBy: ["dan"],
    });
    const seen = partNow(state, new Set());
    equal(seen, { id: "seen", name: "CLEO", user: "cleo" });
    equal(doneBy(seen, state, "map"), "call");
    cleo.state = "active";
    equal(ids(state), "hello", "without the call, its end is not shown");
    equal(ids(state, "call"), "over");
    equal(ids(state, "call", "over", "hello", "journey", "stuck", "chat"), "rehearsal");
    equal(ids(state, "call", "over", "hello", "journey", "stuck", "chat", "rehearsal"), "end");
});

test("A part of the demo story is done once the visitor looks at its subject", () => {
    const { state } = story(member("ann"));
    const part = { id: "journey", user: "ann" };
    equal(doneBy(part, state, "map"), null);
    state.selected = "ann";
    equal(doneBy(part, state, "map"), "journey");
    equal(doneBy({ id: "stuck", user: "ben" }, state, "map"), null);
    equal(doneBy({ id: "stuck", user: "ben" }, state, "alerts"), "stuck");
    equal(doneBy({ id: "chat" }, state, "chat"), "chat");
    equal(doneBy({ id: "call", user: "ann" }, state, "alerts"), null);
});

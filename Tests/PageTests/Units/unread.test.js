import { applyChat, applyGroups, receive } from "/js/reducer.js";
import { store } from "/js/store.js";
import { unread } from "/js/unread.js";
import { equal, network, settle, stopTime, test } from "/unit.js";

const AT = "2026-05-01T10:00:00Z";
const say = (id, from = "ben") =>
    applyChat({ id, kind: "message", group: "g", at: AT, from, text: id });

function begin({ demo = false } = {}) {
    store.change((state) => {
        Object.assign(state, { me: { user: "ann", device: "web", root: "kith", demo }, isLoaded: true });
    });
    applyGroups([{ group: "g", name: "Family" }]);
    return store.state.groups.get("g");
}

/// Serves the marks up to which other devices have read; records the requests.
function serve(chatThrough) {
    const marks = { chatThrough, alertsThrough: null };
    const asked = network(({ path, body }) => {
        if (marks.isAway) return undefined;
        if (path === "/api/chat.seen") marks.chatThrough = body.through;
        const { isAway, ...told } = marks;
        return [200, { groups: [{ group: "g", alerts: 0, chat: 0, ...told }] }];
    });
    return { marks, asked };
}

const told = (asked) => asked.filter(({ path }) => path.endsWith(".seen"))
    .map(({ path, body }) => `${path} ${body.through}`);

test("A new browser shows what was missed on all devices", async () => {
    const group = begin();
    for (const id of ["m1", "m2", "m3"]) say(id);
    say("m4", "ann");
    equal(unread.chat(store.state), 0, "nothing is known yet");
    serve("m1");
    await unread.load();
    equal(unread.chat(store.state), 2);
    equal(unread.chatMark(group), "m1");
});

test("A message read here is reported to the server once", async () => {
    const group = begin();
    const { asked } = serve("m1");
    await unread.load();
    for (const id of ["m1", "m2"]) say(id);
    unread.markChat(group);
    unread.markChat(group);
    await settle();
    equal(told(asked), ["/api/chat.seen m2"]);
    equal(unread.chat(store.state), 0);
});

test("A message read without a network is reported when it is back", async () => {
    const group = begin();
    const { marks, asked } = serve("m1");
    await unread.load();
    for (const id of ["m1", "m2"]) say(id);
    marks.isAway = true;
    unread.markChat(group);
    await settle();
    equal([unread.chat(store.state), marks.chatThrough], [0, "m1"]);
    marks.isAway = false;
    await unread.load();
    await settle();
    equal(marks.chatThrough, "m2");
    equal(told(asked).length, 2);
});

test("Messages read elsewhere soon count as read; new ones cause no request", async () => {
    const move = stopTime();
    begin();
    const { marks, asked } = serve("m1");
    await unread.load();
    for (const id of ["m1", "m2"]) say(id);
    const hear = (payload) => receive({ topic: "kith/users/ann/unread", payload });
    store.change(() => {});
    const before = asked.length;
    unread.hear({ alerts: 0, chat: 1 });
    await move(5_000);
    equal(asked.length, before);
    marks.chatThrough = "m2";
    unread.hear({ alerts: 0, chat: 0 });
    await move(5_000);
    equal([asked.length, unread.chat(store.state)], [before + 1, 0]);
    hear(null);
    equal(store.state.unreadNotices, 0);
});

test("Demo visitors, who share an account, do not report what they have read", async () => {
    const group = begin({ demo: true });
    const { asked } = serve("m9");
    say("m1");
    await unread.load();
    unread.chatMark(group);
    say("m2");
    unread.hear({ alerts: 0, chat: 0 });
    unread.markChat(group);
    await settle();
    equal(asked.length, 0);
});

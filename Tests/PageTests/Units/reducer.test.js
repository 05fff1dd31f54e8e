import {
    beginAnew, applyAlert, applyGroups, applyHistory, applyNotices, onAlert, onUnread, receive,
} from "/js/reducer.js";
import { store } from "/js/store.js";
import { equal, test } from "/unit.js";

const AT = "2026-05-01T10:00:00Z";
const message = (id) => ({ id, kind: "message", group: "g", at: AT, from: "ben", text: id });
const alert = (acknowledgedBy = []) => ({
    id: "a1", kind: "sos", group: "g", user: "ben", name: "Ben", at: AT, text: "", acknowledgedBy,
});

function begin() {
    store.change((state) => { state.me = { user: "ann", device: "web", root: "kith" }; });
    applyGroups([{ group: "g", name: "Family" }]);
    return store.state.groups.get("g");
}

const member = (version, state = "sharing") => receive({
    topic: "kith/groups/g/members/ben",
    payload: { user: "ben", name: "Ben", state, version },
});

test("A state older than the known one changes nothing", () => {
    const group = begin();
    member(3, "sos");
    member(2);
    equal(group.states.get("ben").state, "sos");
    member(3);
    equal(group.states.get("ben").state, "sharing");
});

test("A new stream's first state replaces whatever was known", () => {
    const group = begin();
    member(9, "sos");
    beginAnew();
    member(1);
    equal(group.states.get("ben").state, "sharing");
});

test("A removed member state or location is deleted", () => {
    const group = begin();
    member(1);
    receive({ topic: "kith/groups/g/members/ben", payload: null });
    equal(group.states.size, 0);
    const fix = { latitude: 1, longitude: 2, timestamp: AT };
    receive({ topic: "kith/users/ben/location", payload: fix });
    equal(store.state.locations.size, 1);
    receive({ topic: "kith/users/ben/location", payload: null });
    equal(store.state.locations.size, 0);
});

test("Leaving the chosen group selects another, whose known state stays", () => {
    const group = begin();
    member(1);
    applyGroups([{ group: "g", name: "Family" }, { group: "h", name: "Work" }]);
    equal(store.state.group, "g");
    applyGroups([{ group: "h", name: "Work" }]);
    equal(store.state.group, "h");
    applyGroups([{ group: "h", name: "Office" }]);
    equal(store.state.groups.get("h").name, "Office");
    equal(store.state.groups.has("g"), false);
    equal(group.states.size, 1);
});

test("Acknowledgements only ever grow", () => {
    const group = begin();
    applyAlert(alert(["ann", "carl"]));
    applyAlert(alert(["ann"]));
    equal(group.alerts.get("a1").acknowledgedBy, ["ann", "carl"]);
});

test("Alerts count as news only if received live", () => {
    begin();
    const told = [];
    onAlert(({ id }, { isLive }) => told.push([id, isLive]));
    applyAlert(alert());
    receive({ topic: "kith/groups/g/alerts", payload: alert() });
    equal(told, [["a1", false], ["a1", true]]);
    equal(store.state.groups.get("g").news.alerts, "a1");
});

test("A message received twice is stored once", () => {
    const group = begin();
    receive({ topic: "kith/groups/g/chat", payload: message("m1") });
    applyHistory("g", { messages: [message("m1")], next: null });
    equal([...group.chat.keys()], ["m1"]);
});

test("A gap in a chat discards the earlier messages, which are read again", () => {
    const group = begin();
    applyHistory("g", { messages: [message("m2"), message("m1")], next: "m1" });
    applyHistory("g", { messages: [message("m9"), message("m8")], next: "m8" });
    equal([...group.chat.keys()], ["m9", "m8"]);
    equal(group.chatNext, "m8");
    applyHistory("g", { messages: [message("m9"), message("m8")], next: null });
    equal(group.chatNext, "m8", "an overlap leaves the end where it was:");
});

const notice = (number) => ({ id: `n${number}`, kind: "friend-added", user: "ben", at: AT });
const told = (number) => receive({ topic: "kith/users/ann/notices", payload: notice(number) });
const noticeIDs = () => store.state.notices.map(({ id }) => id);

test("Notices are distinct by id, newest first, and as many as the server keeps", () => {
    begin();
    for (let number = 1000; number < 1600; number += 1) told(number);
    told(1599);
    equal(store.state.notices.length, 500);
    equal([store.state.notices[0].id, store.state.notices[499].id], ["n1599", "n1100"]);
});

test("Pages of notices arrive in any order, and a gap restarts the list", () => {
    begin();
    store.change((state) => Object.assign(state, { notices: [], noticesNext: undefined }));
    told(3);
    applyNotices({ notices: [notice(3), notice(2)], next: "n2", unread: 2 });
    equal(noticeIDs(), ["n3", "n2"]);
    equal([store.state.noticesNext, store.state.unreadNotices], ["n2", 2]);
    // The first page again, after a reconnect: the end stays where it was.
    applyNotices({ notices: [notice(4), notice(3)], next: "n3", unread: 3 });
    equal([noticeIDs(), store.state.noticesNext], [["n4", "n3", "n2"], "n2"]);
    applyNotices({ notices: [notice(9), notice(8)], next: "n8", unread: 9 });
    equal([noticeIDs(), store.state.noticesNext], [["n9", "n8"], "n8"]);
});

test("The unread count is the server's, and ends with its retained message", () => {
    begin();
    const unread = (payload) => receive({ topic: "kith/users/ann/unread", payload });
    unread({ notices: 4 });
    equal(store.state.unreadNotices, 4);
    unread(null);
    equal(store.state.unreadNotices, 0);
    unread({ notices: "many" });
    equal(store.state.unreadNotices, 0);
    unread({ notices: 2 });
    const heard = [];
    const end = onUnread((counts) => heard.push(counts));
    unread({ notices: 2, alerts: 1, chat: 7 });
    unread({ notices: 2, alerts: -0.5 });
    end();
    equal(heard, [{ alerts: 1, chat: 7 }, { alerts: 0, chat: 0 }]);
    beginAnew();
    equal(store.state.unreadNotices, 0);
});

test("A malformed payload does not prevent others from being shown", () => {
    const group = begin();
    for (const payload of [null, 7, "x", [], {}, { id: 1 }, { version: "x", user: "ben" }]) {
        for (const part of ["", "/alerts", "/chat", "/members/ben", "/members/ben/path/1"]) {
            receive({ topic: `kith/groups/g${part}`, payload });
        }
        receive({ topic: "kith/users/ann/notices", payload });
        receive({ topic: "kith/groups/unknown/members/ben", payload });
    }
    equal([group.states.size, group.alerts.size, group.chat.size], [0, 0, 0]);
    member(1);
    equal(group.states.size, 1);
});

test("Members whose names look the same are shown with user names everywhere", () => {
    const group = begin();
    member(20);
    const members = [{ user: "ben", name: "Ben" }, { user: "b3n", name: "Веn" }, { user: "cara", name: "Cara" }];
    receive({ topic: "kith/groups/g", payload: { name: "Family", members } });
    equal(group.members.map(({ name }) => name), ["Ben (ben)", "Веn (b3n)", "Cara"]);
    equal(group.states.get("ben").name, "Ben (ben)", "also a state that was there before");
    member(21);
    equal(group.states.get("ben").name, "Ben (ben)");
    applyAlert({ ...alert(), id: "a7" });
    equal(group.alerts.get("a7").name, "Ben (ben)");
});

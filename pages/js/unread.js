/// What the person has not read yet. The server keeps how far they have read, for all their
/// devices; the browser has a copy per person, and what was read while offline. Demo visitors share
/// an account: for them it is kept only in the browser.

import { call } from "./api.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

const KEPT = "kith.seen";
/// The readable parts of a group, and how the server is notified.
const METHODS = { alerts: "alert.seen", chat: "chat.seen" };
/// The server counts new entries within about a second.
const SETTLING_MS = 2_000;

let settling = null;

function seen(state = store.state) {
    const user = state.me?.user;
    return (user && readStored(`${KEPT}.${user}`)) ?? {};
}

function keep(values, state = store.state) {
    const user = state.me?.user;
    if (user) writeStored(`${KEPT}.${user}`, values);
}

/// Ids grow with time, so the newest one read implies all before it. While it is not known, nothing
/// counts as new. In the demo, new is everything received after the page opened.
function newest(kind, group) {
    const values = seen();
    const key = `${kind}.${group.group}`;
    if (values[key] !== undefined) return values[key];
    if (!store.state.isLoaded || !store.state.me?.demo) return "~";
    const last = lastID(kind === "chat" ? group.chat : group.alerts, group.news[kind]);
    keep({ ...values, [key]: last });
    return last;
}

/// - Parameter end: the first id that is not counted, or null.
function lastID(entries, end = null) {
    let last = "";
    for (const id of entries.keys()) {
        if (id > last && (end === null || id < end)) last = id;
    }
    return last;
}

function unreadChat(group, state) {
    const from = newest("chat", group);
    let count = 0;
    for (const message of group.chat.values()) {
        if (message.kind === "message" && message.from !== state.me?.user && message.id > from) {
            count += 1;
        }
    }
    return count;
}

function unreadAlerts(group, state) {
    const from = newest("alerts", group);
    let count = 0;
    for (const alert of group.alerts.values()) {
        const isSeen = alert.acknowledgedBy?.includes(state.me?.user) === true;
        if (alert.user !== state.me?.user && !isSeen && alert.id > from) count += 1;
    }
    return count;
}

export const unread = {
    alerts: (state) => sum(state, unreadAlerts),
    chat: (state) => sum(state, unreadChat),
    chatOf: unreadChat,

    /// Forgets a user whose account is gone.
    forget: (user) => writeStored(`${KEPT}.${user}`, null),

    /// Marks the alerts as read: the person is looking at them.
    markAlerts() {
        for (const group of store.state.groups.values()) mark("alerts", group, group.alerts);
    },

    markChat(group) {
        mark("chat", group, group.chat);
    },

    /// How far the person had read before looking now.
    chatMark: (group) => newest("chat", group),

    /// Reads from the server how far the person has read on any device, and reports what was read
    /// here in the meantime.
    async load() {
        if (!store.state.me || store.state.me.demo) return;
        learn(await call("unread.list"));
    },

    /// The server reports the unread count. Less than is shown here: it was read elsewhere.
    hear({ alerts, chat }) {
        if (store.state.me?.demo) return;
        clearTimeout(settling);
        settling = setTimeout(() => {
            const { state } = store;
            if (unread.alerts(state) <= alerts && unread.chat(state) <= chat) return;
            unread.load().catch(() => {});
        }, SETTLING_MS);
    },
};

function learn({ groups }) {
    const values = { ...seen() };
    const ahead = [];
    for (const entry of groups) {
        for (const kind of Object.keys(METHODS)) {
            const key = `${kind}.${entry.group}`;
            const through = entry[`${kind}Through`] ?? "";
            if ((values[key] ?? "") > through) ahead.push([kind, entry.group, values[key]]);
            else values[key] = through;
        }
    }
    keep(values);
    store.change(() => {});
    for (const [kind, group, through] of ahead) tell(kind, group, through);
}

/// Lost reports are repeated when the marks are next read.
function tell(kind, group, through) {
    if (store.state.me?.demo) return;
    call(METHODS[kind], { group, through }).catch(() => {});
}

function mark(kind, group, entries) {
    const last = lastID(entries);
    const key = `${kind}.${group.group}`;
    const values = seen();
    if (!last || (values[key] ?? "") >= last) return;
    keep({ ...values, [key]: last });
    store.change(() => {});
    tell(kind, group.group, last);
}

function sum(state, count) {
    let total = 0;
    for (const group of state.groups.values()) total += count(group, state);
    return total;
}

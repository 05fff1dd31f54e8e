/// What the person has not read yet; kept in the browser, per person.

import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

const KEPT = "kith.seen";

function seen(state = store.state) {
    const user = state.me?.user;
    return (user && readStored(`${KEPT}.${user}`)) ?? {};
}

function keep(values, state = store.state) {
    const user = state.me?.user;
    if (user) writeStored(`${KEPT}.${user}`, values);
}

/// Ids grow with time, so the newest one read implies all before it. In a browser that has recorded
/// none yet, what existed before the page opened is not news; what came later is.
function newest(kind, group) {
    const values = seen();
    const key = `${kind}.${group.group}`;
    if (values[key] !== undefined) return values[key];
    if (!store.state.isLoaded) return "~";
    const last = lastID(kind === "chat" ? group.chat : group.alerts, group.news[kind]);
    keep({ ...values, [key]: last });
    return last;
}

/// - Parameter end: the first id that does not count, or null.
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
        if (alert.user !== state.me?.user && alert.id > from) count += 1;
    }
    return count;
}

export const unread = {
    alerts: (state) => sum(state, unreadAlerts),
    chat: (state) => sum(state, unreadChat),
    chatOf: unreadChat,

    /// Forgets somebody whose account is gone.
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
};

function mark(kind, group, entries) {
    const last = lastID(entries);
    const key = `${kind}.${group.group}`;
    const values = seen();
    if (!last || (values[key] ?? "") >= last) return;
    keep({ ...values, [key]: last });
    store.change(() => {});
}

function sum(state, count) {
    let total = 0;
    for (const group of state.groups.values()) total += count(group, state);
    return total;
}

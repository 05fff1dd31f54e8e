/// Applies messages from the service to the store: states only move forward, alerts and messages
/// are identified by their ids, and removed entries are deleted.

import { named } from "./known/look-alike.js";
import { applySegment } from "./path.js";
import {
    alertOf, fixOf, groupOf, groupsOf, messageOf, noticeOf, segmentOf, stateOf,
} from "./validation.js";
import { lastGroup, newGroup, store } from "./store.js";
import { readTopic } from "./topics.js";

/// As many as the server keeps.
const NOTICES_KEPT = 500;
const alertListeners = new Set();
const chatListeners = new Set();
const noticeListeners = new Set();
const unreadListeners = new Set();

/// `listener(alert, {isLive})`: `isLive` is false for alerts from the history.
export const onAlert = (listener) => add(alertListeners, listener);
export const onChat = (listener) => add(chatListeners, listener);
export const onNotice = (listener) => add(noticeListeners, listener);
/// `listener({alerts,chat})`: how much the server counts as unread.
export const onUnread = (listener) => add(unreadListeners, listener);

/// Applies one message of the stream: `{topic,payload,retain}`.
export function receive({ topic, payload }) {
    const place = readTopic(topic);
    if (!place) return;
    const { kind, user, group } = place;
    if (kind === "userGroups") applyGroups(payload);
    else if (kind === "notices") applyNotice(noticeOf(payload));
    else if (kind === "unread") applyUnread(payload);
    else if (kind === "location") applyLocation(user, payload);
    else if (kind === "alerts") applyNewAlert(payload);
    else if (kind === "chat") applyNewMessage(payload);
    else store.change((state) => applyToGroup(state.groups.get(group), place, payload));
}

/// Prepares for a new stream, which begins with everything retained. Entries removed in between are
/// not repeated, so paths and positions are dropped; any state received is accepted.
export function beginAnew() {
    store.change((state) => {
        state.locations.clear();
        state.unreadNotices = 0;
        for (const group of state.groups.values()) {
            group.paths.clear();
            for (const [user, known] of group.states) {
                group.states.set(user, { ...known, version: 0 });
            }
        }
    });
}

export function applyGroups(list) {
    store.change((state) => {
        const before = state.groups;
        state.groups = new Map();
        for (const { group, name } of groupsOf(list)) {
            const known = before.get(group) ?? newGroup(group, name);
            known.name = name;
            state.groups.set(group, known);
        }
        if (!state.groups.has(state.group)) {
            const last = lastGroup();
            state.group = state.groups.has(last)
                ? last : (state.groups.keys().next().value ?? null);
        }
    });
}

function applyNewAlert(payload) {
    const alert = alertOf(payload);
    if (!alert) return;
    // Acknowledgements and repetitions publish an alert again, which may be old.
    if (!alert.acknowledgedBy.length && !alert.repetition) noteNews(alert, "alerts");
    applyAlert(alert, { isLive: true });
}

function applyNewMessage(payload) {
    const message = messageOf(payload);
    if (!message) return;
    noteNews(message, "chat");
    applyChat(message, { isLive: true });
}

/// Applies a retained message of one of my groups.
function applyToGroup(known, { kind, user, n }, payload) {
    if (!known) return;
    if (kind === "group") {
        Object.assign(known, groupOf(payload) ?? {});
        for (const [user, state] of known.states) known.states.set(user, named(known, state));
    }
    if (kind === "member") applyState(known, user, payload);
    const number = Number(n);
    if (kind === "path" && number > 0) applySegment(known, user, number, segmentOf(payload));
}

function applyState(group, user, payload) {
    if (!payload) {
        group.states.delete(user);
        return;
    }
    const state = stateOf(payload);
    const known = group.states.get(user);
    if (!state || (known && known.version > state.version)) return;
    group.states.set(user, named(group, state));
}

function applyLocation(user, payload) {
    store.change((state) => {
        if (fixOf(payload)) state.locations.set(user, payload);
        else state.locations.delete(user);
    });
}

export function applyAlert(told, { isLive = false } = {}) {
    let alert = alertOf(told);
    if (!alert) return;
    const group = store.state.groups.get(alert.group);
    if (group) alert = named(group, alert);
    store.change((state) => {
        const alerts = state.groups.get(alert.group)?.alerts;
        if (!alerts) return;
        const known = alerts.get(alert.id);
        // Acknowledgements only grow in number; an older copy may arrive after a newer one.
        const isOlder = known && known.acknowledgedBy.length > alert.acknowledgedBy.length;
        alerts.set(alert.id, isOlder
            ? { ...alert, acknowledgedBy: known.acknowledgedBy, responses: known.responses }
            : alert);
    });
    for (const listener of alertListeners) listener(alert, { isLive });
}

export function applyChat(told, { isLive = false } = {}) {
    const message = messageOf(told);
    if (!message) return;
    store.change((state) => state.groups.get(message.group)?.chat.set(message.id, message));
    for (const listener of chatListeners) listener(message, { isLive });
}

/// Call it before the alert or message is applied: listeners read `news`.
function noteNews({ group, id }, kind) {
    const news = store.state.groups.get(group)?.news;
    if (news && (news[kind] === null || id < news[kind])) news[kind] = id;
}

function applyNotice(notice) {
    if (!notice) return;
    addNotices([notice]);
    for (const listener of noticeListeners) listener(notice);
}

/// Applies a page of the notices, the newest or an older one.
export function applyNotices({ notices, next, unread }) {
    const read = notices.map(noticeOf).filter((notice) => notice !== null);
    const known = new Set(store.state.notices.map(({ id }) => id));
    const overlaps = read.some(({ id }) => known.has(id));
    addNotices(read);
    store.change((state) => {
        state.unreadNotices = unread;
        // There may be a gap between this page and the known notices: begin again from here.
        if (overlaps && state.noticesNext !== undefined) return;
        const oldest = read.at(-1)?.id;
        if (oldest) state.notices = state.notices.filter(({ id }) => id >= oldest);
        state.noticesNext = next ?? null;
    });
}

function addNotices(notices) {
    store.change((state) => {
        const all = new Map([...state.notices, ...notices].map((notice) => [notice.id, notice]));
        state.notices = [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1))
            .slice(0, NOTICES_KEPT);
    });
}

function applyUnread(payload) {
    const [notices, alerts, chat] = ["notices", "alerts", "chat"].map((key) => payload?.[key])
        .map((count) => (Number.isInteger(count) ? count : 0));
    store.change((state) => { state.unreadNotices = notices; });
    for (const listener of unreadListeners) listener({ alerts, chat });
}

/// Sets where the alerts before the newest page begin.
export function applyAlertsNext(group, next) {
    store.change((state) => {
        const known = state.groups.get(group);
        if (known && known.alertsNext === undefined) known.alertsNext = next ?? null;
    });
}

/// Applies a page of a chat's history, the newest or an older one.
export function applyHistory(group, { messages, next }) {
    store.change((state) => {
        const known = state.groups.get(group);
        if (!known) return;
        const overlaps = messages.some((message) => known.chat.has(message.id));
        for (const message of messages) known.chat.set(message.id, message);
        // Messages kept only in the browser may have been deleted in the meantime.
        for (const [id, { isKept }] of [...known.chat]) if (isKept) known.chat.delete(id);
        // There may be a gap between this page and the known messages: begin again from here.
        if (!overlaps || known.chatNext === undefined) {
            const oldest = messages.at(-1)?.id;
            for (const id of [...known.chat.keys()]) {
                if (oldest && id < oldest) known.chat.delete(id);
            }
            known.chatNext = next ?? null;
        }
    });
}

function add(listeners, listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

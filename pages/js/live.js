/// Keeps one stream of events open, with the topics that are needed now, and folds what comes into
/// the store.

import { call, onSessionEnd, session } from "./api.js";
import { newGroup, store } from "./store.js";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const OPENING_PATIENCE_MS = 30_000;
/// A server that sends heartbeats does so every 15 s.
const SILENCE_MS = 45_000;
/// A page that slept so long may hold a connection that is dead, and does not know it.
const SLEEP_MS = 60_000;
const FAILURES_WITH_FRIENDS = 3;
const ALERTS_AT_FIRST = 50;
const CHAT_AT_FIRST = 50;
const NOTICES_KEPT = 50;

let source = null;
let openTopics = "";
let failures = 0;
let timer = null;
let watchdog = null;
let hasHeartbeats = false;
let hiddenAt = null;
let isRunning = false;
/// Of friends who show me where they are.
let sharers = new Map();
let refused = new Set();
const alertListeners = new Set();
const chatListeners = new Set();
const noticeListeners = new Set();

export const live = {
    async start() {
        if (isRunning) return;
        isRunning = true;
        failures = 0;
        await refresh();
    },

    stop() {
        isRunning = false;
        sharers = new Map();
        refused = new Set();
        close();
    },

    /// Asks anew who shows me where they are: after changes that no topic tells.
    async refreshFriends() {
        refused.clear();
        await loadSharers();
        reopenIfNeeded();
    },

    /// `listener(alert, {isLive})`: `isLive` is false for what the history brought.
    onAlert: (listener) => add(alertListeners, listener),
    onChat: (listener) => add(chatListeners, listener),
    onNotice: (listener) => add(noticeListeners, listener),

    /// Loads the next older page of a group's chat.
    async loadOlderChat(group) {
        const before = store.state.groups.get(group)?.chatNext;
        if (!before) return;
        const { messages, next } = await call("chat.history", { group, before });
        store.change((state) => {
            const known = state.groups.get(group);
            if (!known) return;
            for (const message of messages) known.chat.set(message.id, message);
            known.chatNext = next ?? null;
        });
    },

    fold: { alert: foldAlert, chat: foldChat },
};

onSessionEnd(() => live.stop());

window.addEventListener("online", () => hurry({ anew: true }));
document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
        hiddenAt = Date.now();
        return;
    }
    hurry({ anew: hiddenAt !== null && Date.now() - hiddenAt > SLEEP_MS });
    hiddenAt = null;
});

// MARK: Opening and closing

/// Reads which groups and friends there are, then opens the stream.
async function refresh() {
    clearTimeout(timer);
    timer = null;
    try {
        const [{ groups }] = await Promise.all([call("group.list"), loadSharers()]);
        foldGroups(groups);
        refused.clear();
    } catch (problem) {
        if (problem.kind === "logged-out") return;
        retry();
        return;
    }
    reopenIfNeeded();
}

async function loadSharers() {
    const found = new Map();
    let cursor;
    do {
        const page = await call("friend.list", { of: "sharers", ...(cursor ? { cursor } : {}) });
        for (const friend of page.friends ?? []) found.set(friend.user, friend.name ?? friend.user);
        cursor = page.next ?? undefined;
    } while (cursor);
    sharers = found;
    store.change((state) => {
        for (const user of [...state.locations.keys()]) {
            if (!sharers.has(user)) state.locations.delete(user);
        }
    });
}

function neededTopics() {
    const { me, groups } = store.state;
    const topics = [`${me.root}/users/${me.user}/groups`, `${me.root}/users/${me.user}/notices`];
    for (const group of groups.keys()) topics.push(`${me.root}/groups/${group}/#`);
    // One filter that is refused takes all with it; rather no friends than no groups.
    if (failures < FAILURES_WITH_FRIENDS) {
        for (const user of sharers.keys()) topics.push(`${me.root}/users/${user}/location`);
    }
    return topics.filter((topic) => !refused.has(topic));
}

function reopenIfNeeded() {
    if (!isRunning || !store.state.me) return;
    const topics = neededTopics().map(encodeURIComponent).sort().join("&topic=");
    if (source && topics === openTopics && source.readyState !== EventSource.CLOSED) return;
    close();
    openTopics = topics;
    const opened = new EventSource(`/api/events?topic=${topics}`);
    source = opened;
    watch(OPENING_PATIENCE_MS);
    opened.addEventListener("open", () => {
        failures = 0;
        heard();
        store.change((state) => { state.connection = "live"; });
        loadPast();
    });
    opened.addEventListener("message", (event) => {
        heard();
        receive(event.data);
    });
    opened.addEventListener("heartbeat", () => {
        hasHeartbeats = true;
        heard();
    });
    opened.addEventListener("reset", () => loadPast());
    opened.addEventListener("refused", (event) => {
        refused.add(JSON.parse(event.data).topic);
        loadSharers().catch(() => {});
    });
    opened.addEventListener("error", () => {
        if (opened !== source) return;
        store.change((state) => { state.connection = "waiting"; });
        if (opened.readyState === EventSource.CLOSED) fail();
    });
}

/// Gives up on a stream from which nothing comes in time.
function watch(patience) {
    clearTimeout(watchdog);
    const watched = source;
    watchdog = setTimeout(() => { if (watched === source) fail(); }, patience);
}

function heard() {
    if (hasHeartbeats) watch(SILENCE_MS);
    else clearTimeout(watchdog);
}

function close() {
    clearTimeout(timer);
    clearTimeout(watchdog);
    timer = null;
    source?.close();
    source = null;
    openTopics = "";
}

/// The stream was refused: perhaps the session is over, or a group is not mine any more.
async function fail() {
    close();
    store.change((state) => { state.connection = "waiting"; });
    retry();
}

function retry() {
    if (!isRunning || timer) return;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);
    failures += 1;
    timer = setTimeout(attempt, pause * (0.5 + Math.random()));
}

async function attempt() {
    timer = null;
    if (!isRunning) return;
    try {
        if ((await session.current()) === null) {
            await session.logOut();
            return;
        }
    } catch {
        retry();
        return;
    }
    await refresh();
}

/// What waits for its next attempt does not wait when there is a reason to hope; `anew`: a stream that
/// seems open is not believed.
function hurry({ anew = false } = {}) {
    if (!isRunning) return;
    if (anew && source) close();
    else if (!timer) return;
    clearTimeout(timer);
    failures = 0;
    attempt();
}

/// What no retained topic keeps. What is found at the start is the past; what is found later was missed,
/// and is news.
async function loadPast() {
    const isLive = store.state.isLoaded === true;
    for (const group of [...store.state.groups.keys()]) {
        try {
            const [alerts, chat] = await Promise.all([
                call("alert.list", { group, limit: ALERTS_AT_FIRST }),
                call("chat.history", { group, limit: CHAT_AT_FIRST }),
            ]);
            for (const alert of alerts.alerts) foldAlert(alert, { isLive });
            foldHistory(group, chat);
        } catch (problem) {
            if (problem.isPassing) setTimeout(() => isRunning && loadPast(), LONGEST_PAUSE_MS / 4);
            return;
        }
    }
    store.change((state) => { state.isLoaded = true; });
}

function foldHistory(group, { messages, next }) {
    store.change((state) => {
        const known = state.groups.get(group);
        if (!known) return;
        const overlaps = messages.some((message) => known.chat.has(message.id));
        for (const message of messages) known.chat.set(message.id, message);
        // A gap between this page and what is known would be hidden: begin again from here.
        if (!overlaps || known.chatNext === undefined) {
            const oldest = messages.at(-1)?.id;
            for (const id of [...known.chat.keys()]) if (oldest && id < oldest) known.chat.delete(id);
            known.chatNext = next ?? null;
        }
    });
}

// MARK: What comes

function receive(data) {
    const { topic, payload } = JSON.parse(data);
    const levels = topic.slice(store.state.me.root.length + 1).split("/");
    const [kind, owner, ...rest] = levels;
    if (kind === "users") {
        if (rest[0] === "groups") foldGroups(payload ?? [], { isNews: true });
        if (rest[0] === "notices" && payload) foldNotice(payload);
        if (rest[0] === "location") foldLocation(owner, payload);
    }
    if (kind === "groups") foldGroupTopic(owner, rest, payload);
}

function foldGroups(list, { isNews = false } = {}) {
    store.change((state) => {
        const before = state.groups;
        state.groups = new Map();
        for (const { group, name } of list) {
            const known = before.get(group) ?? newGroup(group, name);
            known.name = name;
            state.groups.set(group, known);
        }
        if (!state.groups.has(state.group)) {
            const kept = localStorage.getItem("kith.group");
            state.group = state.groups.has(kept) ? kept : (list[0]?.group ?? null);
        }
    });
    if (!isNews) return;
    refused.clear();
    reopenIfNeeded();
}

function foldGroupTopic(group, [part, user, sub, number], payload) {
    if (part === "alerts") return payload && foldAlert(payload, { isLive: true });
    if (part === "chat") return payload && foldChat(payload, { isLive: true });
    store.change((state) => {
        const known = state.groups.get(group);
        if (!known) return;
        if (part === undefined && payload) {
            known.name = payload.name;
            known.members = payload.members ?? [];
        }
        if (part !== "members") return;
        if (sub === undefined) foldState(known, user, payload);
        if (sub === "path") foldSegment(known, user, Number(number), payload);
    });
}

function foldState(group, user, payload) {
    if (!payload) {
        group.states.delete(user);
        return;
    }
    const known = group.states.get(user);
    if (known && known.version > payload.version) return;
    group.states.set(user, payload);
}

function foldSegment(group, user, number, payload) {
    const path = group.paths.get(user) ?? new Map();
    if (payload) path.set(number, payload);
    else path.delete(number);
    if (path.size) group.paths.set(user, path);
    else group.paths.delete(user);
}

function foldLocation(user, payload) {
    store.change((state) => {
        if (payload) state.locations.set(user, payload);
        else state.locations.delete(user);
    });
}

function foldAlert(alert, { isLive = false } = {}) {
    store.change((state) => {
        const alerts = state.groups.get(alert.group)?.alerts;
        if (!alerts) return;
        const known = alerts.get(alert.id);
        // Acknowledgements only ever grow; an older copy may come after a newer one.
        const isOlder = known && known.acknowledgedBy.length > alert.acknowledgedBy.length;
        alerts.set(alert.id, isOlder ? { ...alert, acknowledgedBy: known.acknowledgedBy } : alert);
    });
    for (const listener of alertListeners) listener(alert, { isLive });
}

function foldChat(message, { isLive = false } = {}) {
    store.change((state) => state.groups.get(message.group)?.chat.set(message.id, message));
    for (const listener of chatListeners) listener(message, { isLive });
}

function foldNotice(notice) {
    store.change((state) => {
        if (state.notices.some((known) => known.id === notice.id)) return;
        state.notices = [notice, ...state.notices].slice(0, NOTICES_KEPT);
    });
    if (["location-shared", "friend-added"].includes(notice.kind)) {
        live.refreshFriends().catch(() => {});
    }
    for (const listener of noticeListeners) listener(notice);
}

function add(listeners, listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

/// Keeps one stream of events open, for the topics that are needed now, and applies its messages to
/// the store.

import { call, onSessionEnd, session } from "./api.js";
import { serverNow } from "./clock.js";
import {
    beginAnew, applyAlert, applyAlertsNext, applyChat, applyGroups, applyHistory, onAlert, onChat,
    onNotice, receive,
} from "./reducer.js";
import { store } from "./store.js";
import { readTopic, topicOf } from "./topics.js";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
const OPENING_PATIENCE_MS = 30_000;
/// A server that sends heartbeats does so every 15 s.
const SILENCE_MS = 45_000;
/// After the page has slept this long, its connection may be dead without its knowing.
const SLEEP_MS = 60_000;
const PAST_PAUSE_MS = 15_000;
const FAILURES_WITH_FRIENDS = 3;
const ALERTS_AT_FIRST = 50;
const CHAT_AT_FIRST = 50;

let source = null;
let openTopics = "";
let failures = 0;
let timer = null;
let watchdog = null;
let hasHeartbeats = false;
let hiddenAt = null;
let isRunning = false;
let loading = null;
let isWanted = false;
/// Friends who share their position with me.
let sharers = new Map();
let refused = new Set();

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

    /// Asks again who shares their position with me: after changes that no topic announces.
    async refreshFriends() {
        refused.clear();
        await loadSharers();
        reopenIfNeeded();
    },

    onAlert,
    onChat,
    onNotice,

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

    apply: { alert: applyAlert, chat: applyChat },
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

/// Reads my groups and friends, then opens the stream.
async function refresh() {
    clearTimeout(timer);
    timer = null;
    try {
        const [{ groups }] = await Promise.all([call("group.list"), loadSharers()]);
        applyGroups(groups);
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
    const { me: { user }, groups } = store.state;
    const topics = [topicOf("userGroups", { user }), topicOf("notices", { user })];
    for (const group of groups.keys()) topics.push(`${topicOf("group", { group })}/#`);
    // One refused filter fails the whole request: after several failures, leave out the friends
    // rather than lose the groups.
    if (failures < FAILURES_WITH_FRIENDS) {
        for (const sharer of sharers.keys()) topics.push(topicOf("location", { user: sharer }));
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
    let isNew = true;
    opened.addEventListener("open", () => {
        failures = 0;
        heard();
        // If the browser reopened it, it goes on from where it was, or the server sends a reset.
        if (isNew) beginAnew();
        isNew = false;
        store.change((state) => { state.connection = "live"; });
        loadPast();
    });
    opened.addEventListener("message", (event) => {
        heard();
        hear(JSON.parse(event.data));
    });
    opened.addEventListener("heartbeat", () => {
        hasHeartbeats = true;
        heard();
    });
    opened.addEventListener("reset", () => {
        beginAnew();
        loadPast();
    });
    opened.addEventListener("refused", (event) => {
        refused.add(JSON.parse(event.data).topic);
        // If access is granted again, a new stream is needed although the topics are the same.
        openTopics = "";
        loadSharers().catch(() => {});
    });
    opened.addEventListener("error", () => {
        if (opened !== source) return;
        store.change((state) => { state.connection = "waiting"; });
        if (opened.readyState === EventSource.CLOSED) fail();
    });
}

/// Opens a new stream if the message changes the topics that are needed.
function hear(message) {
    receive(message);
    if (readTopic(message.topic)?.kind === "userGroups") {
        refused.clear();
        reopenIfNeeded();
    }
}

onNotice((notice) => {
    if (["location-shared", "friend-added"].includes(notice.kind)) {
        live.refreshFriends().catch(() => {});
    }
});

/// Closes a stream that stays silent for too long.
function watch(patience) {
    clearTimeout(watchdog);
    const watched = source;
    watchdog = setTimeout(() => { if (watched === source) fail(); }, patience);
}

function heard() {
    store.state.heardAt = serverNow();
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

/// Handles a refused stream: perhaps the session is over, or I am no longer in a group.
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

/// Makes the next attempt now, because there is reason to hope; `anew`: also replaces a stream that
/// seems open.
function hurry({ anew = false } = {}) {
    if (!isRunning) return;
    if (anew && source) close();
    else if (!timer) return;
    clearTimeout(timer);
    failures = 0;
    attempt();
}

/// Loads what retained topics do not contain. What is found at the start is history; what is found
/// later was missed, and is news.
function loadPast() {
    isWanted = true;
    loading ??= loadWhileWanted().finally(() => { loading = null; });
}

async function loadWhileWanted() {
    while (isWanted && isRunning) {
        isWanted = false;
        await loadAll();
    }
}

async function loadAll() {
    const isLive = store.state.isLoaded === true;
    for (const group of [...store.state.groups.keys()]) {
        try {
            const [alerts, chat] = await Promise.all([
                call("alert.list", { group, limit: ALERTS_AT_FIRST }),
                call("chat.history", { group, limit: CHAT_AT_FIRST }),
            ]);
            for (const alert of alerts.alerts) applyAlert(alert, { isLive });
            applyAlertsNext(group, alerts.next);
            applyHistory(group, chat);
        } catch (problem) {
            // A refused group is no longer mine; the others may work.
            if (!problem.isPassing) continue;
            setTimeout(() => isRunning && loadPast(), PAST_PAUSE_MS);
            return;
        }
    }
    store.change((state) => { state.isLoaded = true; });
}

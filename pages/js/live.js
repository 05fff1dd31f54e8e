/// Keeps one stream of events open, for the topics that are needed now, and applies its messages to
/// the store.

import { call, onSessionEnd, session } from "./api.js";
import { serverNow } from "./clock.js";
import { restoreLastKnown } from "./last-known.js";
import { past } from "./past.js";
import {
    applyAlert, applyChat, applyGroups, beginAnew, onAlert, onChat, onNotice, receive,
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
const FAILURES_WITH_FRIENDS = 3;

let source = null;
let openTopics = "";
let failures = 0;
let timer = null;
let watchdog = null;
let hasHeartbeats = false;
let hiddenAt = null;
let isRunning = false;
/// Friends who share their position with me, as `friend.list` has them.
let sharers = new Map();
let refused = new Set();

export const live = {
    async start() {
        if (isRunning) return;
        isRunning = true;
        past.start();
        failures = 0;
        restoreLastKnown();
        await refresh();
    },

    stop() {
        isRunning = false;
        past.stop();
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
        for (const friend of page.friends ?? []) found.set(friend.user, friend);
        cursor = page.next ?? undefined;
    } while (cursor);
    sharers = found;
    store.change((state) => {
        state.pictures = new Map([...sharers].map(([user, { avatar }]) => [user, avatar]));
        for (const user of [...state.locations.keys()]) {
            if (!sharers.has(user)) state.locations.delete(user);
        }
    });
}

function neededTopics() {
    const { me: { user }, groups } = store.state;
    const topics = ["userGroups", "notices", "unread"].map((kind) => topicOf(kind, { user }));
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
        past.load();
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
        past.load();
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

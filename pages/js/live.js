/// Keeps one event stream open, for the topics currently needed, and applies its messages to the
/// store.

import { call, onSessionEnd, session } from "./api.js";
import { serverNow } from "./clock.js";
import { makeEventStream } from "./event-stream.js";
import { restoreLastKnown } from "./last-known.js";
import { past } from "./past.js";
import {
    applyAlert, applyChat, applyGroups, beginAnew, onAlert, onChat, onNotice, onUnread, receive,
} from "./reducer.js";
import { store } from "./store.js";
import { readTopic, topicOf } from "./topics.js";
import { unread } from "./unread.js";

const FAILURES_WITH_FRIENDS = 3;

let isRunning = false;
/// Friends who share their position with me, as returned by `friend.list`.
let sharers = new Map();
let refused = new Set();

const stream = makeEventStream({
    prepare,
    topics: neededTopics,
    opened({ isNew }) {
        if (isNew) beginAnew();
        store.change((state) => { state.connection = "live"; });
        past.load();
    },
    lost() { store.change((state) => { state.connection = "waiting"; }); },
    heard() { store.state.heardAt = serverNow(); },
    events: {
        message: hear,
        reset() {
            beginAnew();
            past.load();
        },
        refused({ topic }) {
            refused.add(topic);
            loadSharers().catch(() => {});
        },
    },
});

export const live = {
    async start() {
        if (isRunning) return;
        isRunning = true;
        past.start();
        restoreLastKnown();
        await stream.start();
    },

    stop() {
        isRunning = false;
        past.stop();
        sharers = new Map();
        refused = new Set();
        stream.stop();
    },

    /// Reloads who shares their position with me: after changes that no topic announces.
    async refreshFriends() {
        refused.clear();
        await loadSharers();
        stream.update();
    },

    onAlert,
    onChat,
    onNotice,

    apply: { alert: applyAlert, chat: applyChat },
};

onSessionEnd(() => live.stop());

/// Reads my groups and friends. After a refused stream the session may be over, or I am no longer in a
/// group.
async function prepare(isAgain) {
    if (isAgain && (await session.current()) === null) {
        await session.logOut();
        return false;
    }
    const [{ groups }] = await Promise.all([call("group.list"), loadSharers()]);
    applyGroups(groups);
    refused.clear();
    return true;
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

function neededTopics(failures) {
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

/// Opens a new stream if the message changes the needed topics.
function hear(message) {
    receive(message);
    if (readTopic(message.topic)?.kind === "userGroups") {
        refused.clear();
        stream.update();
    }
}

onNotice((notice) => {
    if (["location-shared", "friend-added"].includes(notice.kind)) {
        live.refreshFriends().catch(() => {});
    }
});

onUnread(unread.hear);

/// Loads what retained topics do not contain: alerts, chats and notices from before the stream began.

import { call } from "./api.js";
import { applyAlert, applyAlertsNext, applyHistory, applyNotices } from "./reducer.js";
import { store } from "./store.js";
import { unread } from "./unread.js";

const PAUSE_MS = 15_000;
const ALERTS_AT_FIRST = 50;
const CHAT_AT_FIRST = 50;
const NOTICES_AT_A_TIME = 20;

let isRunning = false;
let loading = null;
let isWanted = false;

export const past = {
    start() { isRunning = true; },
    stop() { isRunning = false; },

    /// Loads the newest of everything. At the start this is history; later entries were missed, and
    /// are news.
    load() {
        isWanted = true;
        loading ??= loadWhileWanted().finally(() => { loading = null; });
    },

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

    /// Loads the next older page of the notices.
    async loadOlderNotices() {
        const before = store.state.noticesNext;
        if (!before) return;
        const page = await call("notice.list", { before, limit: NOTICES_AT_A_TIME });
        store.change((state) => { state.noticesNext = undefined; });
        applyNotices({ ...page, notices: [...store.state.notices, ...page.notices] });
    },
};

async function loadWhileWanted() {
    while (isWanted && isRunning) {
        isWanted = false;
        await loadAll();
    }
}

async function loadAll() {
    const isLive = store.state.isLoaded === true;
    try {
        await unlessRefused(unread.load);
        for (const group of [...store.state.groups.keys()]) await loadGroup(group, isLive);
        await unlessRefused(async () => {
            applyNotices(await call("notice.list", { limit: NOTICES_AT_A_TIME }));
        });
    } catch {
        setTimeout(() => isRunning && past.load(), PAUSE_MS);
        return;
    }
    store.change((state) => { state.isLoaded = true; });
}

async function loadGroup(group, isLive) {
    await unlessRefused(async () => {
        const [alerts, chat] = await Promise.all([
            call("alert.list", { group, limit: ALERTS_AT_FIRST }),
            call("chat.history", { group, limit: CHAT_AT_FIRST }),
        ]);
        for (const alert of alerts.alerts) applyAlert(alert, { isLive });
        applyAlertsNext(group, alerts.next);
        applyHistory(group, chat);
    });
}

/// A refused group is no longer mine; the others may work.
async function unlessRefused(action) {
    try {
        await action();
    } catch (problem) {
        if (problem.isPassing) throw problem;
    }
}

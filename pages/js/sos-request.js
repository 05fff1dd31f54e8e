/// My call for help: repeats the request until the server has it, across reloads and lost networks.

import { call, newID } from "./api.js";
import { t } from "./language.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";
import { geolocation } from "./geolocation.js";

const KEY = "kith.sos";
/// The time between two attempts.
const AGAIN_MS = 2_000;
/// A call for help waits no longer than this, even if the server asks for more.
const LONGEST_PAUSE_MS = 10_000;
/// After this long without an answer the next attempt is made, with the same id.
const ANSWER_PATIENCE_MS = 8_000;
/// A call that has waited longer than this is not sent automatically when the page is opened again.
const STALE_MS = 10 * 60_000;

const listeners = new Set();
let timer = null;
let isTrying = false;
let wasSeen = false;
let owner = null;
/// When calls that are over began, according to the states: an old state may still be in flight.
const over = new Set();

/// `phase`: `none`, `calling` (not at the server yet), `stale` (the same, for a long time), `on`,
/// `ending` (the server does not know yet that it is over).
/// With `none`, `isLost`: the session ended before the call was sent; it is sent after a login.
/// `isAlone`: there is no group to call.
/// With the others: `id`, `since` (epoch ms), `fix`, `attempts`, `trouble` (words), `fixRefused`,
/// `hasSwitchedOn`: whether sending the position began with the call, and ends with it; `before`:
/// when the earlier calls began that are over once this call is accepted.
let current = { phase: "none" };

export const sosRequest = {
    get current() { return current; },

    /// Whose call it is; null until the page knows who is logged in.
    get owner() { return owner; },

    listen(listener) {
        listeners.add(listener);
        listener(current);
        return () => listeners.delete(listener);
    },

    /// Calls for help; `fix` may be null. Goes on until `cancel`.
    call(fix) {
        const hasSwitchedOn = !geolocation.isSending;
        keep({
            phase: "calling", id: newID(), since: Date.now(), fix, attempts: 0, hasSwitchedOn,
        });
        geolocation.start();
        attempt();
    },

    /// Drops a call that has not been sent. If it arrived after all, it shows as `on`. If the end
    /// of a call has not been sent, calls again.
    cancel() {
        if (["calling", "stale"].includes(current.phase)) return finish();
        if (current.phase !== "ending") return;
        const { fix, hasSwitchedOn } = current;
        keep({
            phase: "calling", id: newID(), since: Date.now(), fix, attempts: 0, hasSwitchedOn,
            before: ownBeginnings(),
        });
        attempt();
    },

    /// Asks the person about a call that may no longer be meant.
    askAbout(since) {
        keep({ phase: "stale", id: newID(), since, fix: null, attempts: 0 });
    },

    /// Sends a stale call.
    callAfterAll() {
        if (current.phase !== "stale") return;
        const hasSwitchedOn = current.hasSwitchedOn ?? !geolocation.isSending;
        keep({ ...current, phase: "calling", since: Date.now(), hasSwitchedOn });
        geolocation.start();
        attempt();
    },

    /// Removes a call from the browser, unless something is still to be sent.
    forget(user) {
        if (readStored(keyOf(user))?.phase === "on") writeStored(keyOf(user), null);
    },

    /// Reports that I am safe.
    end() {
        keep({ ...current, phase: "ending", id: newID(), attempts: 0, trouble: undefined });
        attempt();
    },
};

// MARK: Sending

async function attempt() {
    clearTimeout(timer);
    timer = null;
    const asked = current;
    if (isTrying || !["calling", "ending"].includes(asked.phase)) return;
    isTrying = true;
    let result = null;
    let trouble = null;
    try {
        result = await withPatience(send(asked));
    } catch (problem) {
        trouble = problem;
    }
    isTrying = false;
    // The request has changed in the meantime, so this is not its response.
    if (current.id !== asked.id) attempt();
    else if (trouble) fail(asked.phase, trouble);
    else succeed(asked.phase, result);
}

function send({ phase, id, fix }) {
    if (phase === "ending") return call("sos.stop", { id });
    const newest = store.state.position ?? fix;
    return call("sos.trigger", newest ? { id, fix: newest } : { id });
}

/// - Parameter phase: the phase in which the request was sent.
function succeed(phase, result) {
    if (phase === "ending") {
        for (const since of ownBeginnings()) over.add(since);
        return finish();
    }
    // The server accepts no second call during an SOS, so the earlier one is over.
    if (result) for (const since of current.before ?? []) over.add(since);
    wasSeen = false;
    keep({
        phase: "on", id: current.id, since: current.since, hasSwitchedOn: current.hasSwitchedOn,
        fixRefused: result?.fixRefused?.detail,
    });
}

function fail(phase, problem) {
    if (problem.kind === "not-a-member") return keep({ phase: "none", isAlone: true });
    if (problem.kind === "already-in-sos" || problem.kind === "not-in-sos") {
        return succeed(phase, null);
    }
    const attempts = (current.attempts ?? 0) + 1;
    const trouble = navigator.onLine ? problem.message : t("This device is offline.");
    // The server gives the same answer to the same id: after a refusal a new one is needed.
    const id = problem.isPassing || problem.kind === "logged-out" ? current.id : newID();
    keep({ ...current, id, attempts, trouble });
    if (problem.kind === "logged-out") return;
    const asked = Math.min(LONGEST_PAUSE_MS, 1000 * (problem.retryAfter ?? 0));
    timer = setTimeout(attempt, Math.max(AGAIN_MS, asked));
}

function withPatience(promise) {
    let late;
    const limit = new Promise((_, reject) => {
        late = setTimeout(() => {
            reject(Object.assign(new Error(t("The server is not responding.")), { isPassing: true }));
        }, ANSWER_PATIENCE_MS);
    });
    return Promise.race([promise, limit]).finally(() => clearTimeout(late));
}

// MARK: Keeping

function keep(next) {
    current = next;
    writeStored(keyOf(owner), next.phase === "none" ? null : next);
    for (const listener of listeners) listener(current);
}

/// Each user of this browser has their own call.
function keyOf(user) {
    return `${KEY}.${user}`;
}

function read() {
    const kept = readStored(keyOf(owner));
    if (!kept) return { phase: "none" };
    const isOld = kept.phase === "calling" && Date.now() - kept.since > STALE_MS;
    return isOld ? { ...kept, phase: "stale" } : kept;
}

function take(next) {
    current = next;
    for (const listener of listeners) listener(current);
    attempt();
}

// Another tab of the same person.
addEventListener("storage", (event) => {
    if (owner && event.key === keyOf(owner)) take(read());
});

addEventListener("online", () => attempt());

store.listenAlways((state) => {
    // The demo's account is shared and alerts no one: `help/rehearsal.js`.
    const user = state.me?.demo ? null : state.me?.user ?? null;
    if (user !== owner) {
        owner = user;
        wasSeen = false;
        const isLost = user === null && current.phase === "calling";
        take(user ? read() : { phase: "none", isLost });
    }
    if (owner) follow(state);
});

/// When my current SOS began, according to its states.
function ownBeginnings() {
    return ownStates(store.state).filter(({ state }) => state === "sos").map(({ since }) => since);
}

/// An SOS may begin and end on another of my devices.
function follow(state) {
    const own = ownStates(state);
    const inSOS = own.find((each) => each.state === "sos" && !over.has(each.since));
    if (inSOS) {
        wasSeen = true;
        if (current.phase === "none") {
            keep({ phase: "on", since: Date.parse(inSOS.since) || Date.now() });
        }
    } else if (wasSeen && own.length > 0 && ["on", "ending"].includes(current.phase)) {
        wasSeen = false;
        finish();
    }
}

function finish() {
    if (current.hasSwitchedOn) geolocation.stop();
    keep({ phase: "none" });
}

function ownStates({ me, groups }) {
    if (!me) return [];
    return [...groups.values()].map((group) => group.states.get(me.user)).filter(Boolean);
}

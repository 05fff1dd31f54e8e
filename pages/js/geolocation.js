/// This device's position: watches it, shows it, and puts it into the outbox while sending is
/// turned on. In the demo, where everyone shares one account, it requests nothing from the browser: no
/// position, no permission, no battery level.

import { toFix } from "./fix.js";
import { metresBetween } from "./geodesy.js";
import { problemOf } from "./geolocation-words.js";
import { t } from "./language.js";
import { outbox } from "./outbox.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";
import { TabTurn } from "./tab-turn.js";
import { keepAwake, keepAwakeWhile } from "./wake-lock.js";

/// A fix is kept if the last one is at least this old,
const FIX_INTERVAL_MS = 5_000;
/// or if the device has moved farther than this.
const FIX_DISTANCE_M = 10;
/// Without a fix for this long, the device is asked for one: a person who sits still must not
/// count as silent.
const HEARTBEAT_MS = 60_000;
/// How long the device may search for its position before it is asked again,
const SIGNAL_PATIENCE_MS = 30_000;
/// and how old the newest may be before the state is "no signal".
const SILENCE_MS = 120_000;
/// A position up to this age answers "where am I" without asking the device.
const FRESH_MS = 20_000;
/// A position older than this is never used as an answer.
const STALE_MS = 10 * 60_000;
const SENDING_KEY = "kith.sending";

const listeners = new Set();
let watch = null;
let heartbeat = null;
let lookers = 0;
let kept = null;
let battery = null;
/// The browser's geolocation permission, once queried.
let permission = null;
/// This tab's turn to put fixes into the outbox: two tabs would store each fix twice.
const turn = new TabTurn("kith-position", () => {
    // The first position may have arrived before the turn.
    if (state === "sending") keep(store.state.position);
});
/// `off`, `asks` (the person has to tap first), `waiting`, `sending`, `refused`, `no-signal`,
/// `unavailable`.
let state = "off";

export const geolocation = {
    get state() { return state; },

    get isSending() { return state !== "off" && isWanted(); },

    /// `granted`, `prompt`, `denied`, or null if not known yet. It is queried with the first
    /// listener, and every later change is reported immediately.
    get permission() { return permission?.state ?? null; },

    /// Calls back with each change of `state` and of `permission`.
    listen(listener) {
        listeners.add(listener);
        listener(state);
        knowPermission();
        return () => listeners.delete(listener);
    },

    /// Starts sending, also after later reloads. Call it when the person taps: the browser asks for
    /// permission.
    start() {
        const { me } = store.state;
        if (isDemo()) return;
        if (me) writeStored(SENDING_KEY, me.user);
        begin();
    },

    stop() {
        writeStored(SENDING_KEY, null);
        end();
    },

    /// Resolves to this device's position, a Fix, whether it is sent or not. Rejects with words for
    /// the person.
    async locate({ patience = SIGNAL_PATIENCE_MS } = {}) {
        if (isDemo()) throw new Error(t("The demo doesn't use your location."));
        if (!sensor() || !window.isSecureContext) throw new Error(problemOf({ code: 0 }));
        if (ageOf(store.state.position) < FRESH_MS) return store.state.position;
        // With a watch running, some browsers do not answer until the device has moved.
        pauseWatch();
        try {
            return arrive(await currentPosition({ maximumAge: FRESH_MS, timeout: patience }));
        } catch (error) {
            if (ageOf(store.state.position) < STALE_MS) return store.state.position;
            throw new Error(problemOf(error));
        } finally {
            watchOrNot();
        }
    },

    /// Keeps the device's own position on the map fresh until the returned function is called.
    look() {
        lookers += 1;
        watchOrNot();
        return () => {
            lookers -= 1;
            watchOrNot();
        };
    },
};

/// In the demo, nothing in this file may touch the visitor's device.
function isDemo() {
    return store.state.me?.demo === true;
}

/// The only access to the browser's positions; null without support, and in the demo.
function sensor() {
    return isDemo() ? null : navigator.geolocation ?? null;
}

/// Whether some group sees me as on a journey or calling for help.
function isUnderway({ me, groups }) {
    return [...groups.values()].some((group) =>
        ["routing", "sos"].includes(group.states.get(me?.user)?.state));
}

// MARK: Beginning and ending

let owner = null;

/// Keeps the screen on: without it no positions are sent, and others rely on them.
keepAwakeWhile(() => heartbeat !== null && isUnderway(store.state));

store.listenAlways(({ me }) => {
    const now = me ? `${me.user}/${me.device}` : null;
    if (now !== owner) {
        owner = now;
        outbox.open(me?.demo ? null : me);
        if (isWanted()) resume();
        else end();
    }
    keepAwake();
});

// Another tab of the same person.
addEventListener("storage", (event) => {
    if (event.key !== SENDING_KEY) return;
    if (isWanted()) resume();
    else end();
});

function isWanted() {
    const { me } = store.state;
    return me !== null && !isDemo() && readStored(SENDING_KEY) === me.user;
}

/// After a reload, resumes sending if the browser would not ask for permission.
async function resume() {
    await knowPermission();
    if (isWanted() && state === "off") obey();
}

/// Queries the browser's permission once a user is logged in, and follows later changes to it.
async function knowPermission() {
    if (permission || !store.state.me || isDemo()) return;
    try {
        permission = await navigator.permissions.query({ name: "geolocation" });
        permission.onchange = () => {
            if (isWanted()) obey();
            announce();
        };
        announce();
    } catch {
        // An old browser, which asks when the person taps.
    }
}

/// Sends, or reports why not, depending on the browser's permission.
function obey() {
    const may = permission?.state ?? "prompt";
    if (may === "granted") return heartbeat === null ? begin() : undefined;
    const reason = may === "denied" ? "refused" : "asks";
    if (heartbeat === null) tell(reason);
    else giveUp(reason);
}

function begin() {
    if (!sensor() || !window.isSecureContext) return tell("unavailable");
    knowPermission();
    if (state !== "sending") tell("waiting");
    turn.take();
    // A watch that only served the map reports nothing more until the device has moved.
    if (heartbeat === null) pauseWatch();
    heartbeat ??= setInterval(beat, HEARTBEAT_MS / 4);
    watchOrNot();
    if (!battery && navigator.getBattery) {
        navigator.getBattery().then((found) => { battery = found; }, () => {});
    }
    keepAwake();
}

function end() {
    clearInterval(heartbeat);
    heartbeat = null;
    turn.end();
    kept = null;
    tell("off");
    watchOrNot();
    keepAwake();
}

function watchOrNot() {
    const isNeeded = sensor() !== null && (lookers > 0 || heartbeat !== null);
    if (isNeeded && watch === null) {
        watch = sensor().watchPosition(arrive, fail, {
            enableHighAccuracy: true, maximumAge: FRESH_MS, timeout: SIGNAL_PATIENCE_MS,
        });
    } else if (!isNeeded) {
        pauseWatch();
    }
}

function pauseWatch() {
    if (watch !== null) navigator.geolocation.clearWatch(watch);
    watch = null;
}

// MARK: Positions

function arrive(found) {
    const fix = toFix(found, battery?.level);
    store.change((each) => { each.position = fix; });
    if (!isWanted()) return fix;
    // A requested position shows that the browser now allows it.
    if (heartbeat === null) begin();
    keep(fix);
    tell("sending");
    return fix;
}

function keep(fix) {
    if (!turn.isMine || !isDue(fix)) return;
    kept = fix;
    outbox.put(fix);
}

function isDue(fix) {
    if (!kept) return true;
    const passed = Date.parse(fix.timestamp) - Date.parse(kept.timestamp);
    if (passed <= 0) return passed < -FIX_INTERVAL_MS;
    return passed >= FIX_INTERVAL_MS || metresBetween(kept, fix) > FIX_DISTANCE_M;
}

/// Starts a new watch, which makes the device report its position again.
function beat() {
    if (!turn.isMine || ageOf(kept) < HEARTBEAT_MS) return;
    pauseWatch();
    watchOrNot();
}

function fail(error) {
    if (state === "off") return;
    if (error.code === 1) {
        giveUp("refused");
    } else if (ageOf(store.state.position) > SILENCE_MS) {
        tell("no-signal");
    }
}

/// Ends the watch; permission may be given again later.
function giveUp(reason) {
    clearInterval(heartbeat);
    heartbeat = null;
    pauseWatch();
    tell(reason);
}

function currentPosition(options) {
    return new Promise((resolve, reject) => {
        sensor().getCurrentPosition(resolve, reject, { enableHighAccuracy: true, ...options });
    });
}

/// Milliseconds since a fix was taken; infinite if there is none.
function ageOf(fix) {
    return fix ? Date.now() - Date.parse(fix.timestamp) : Infinity;
}

function tell(now) {
    if (now === state) return;
    state = now;
    announce();
}

function announce() {
    for (const listener of listeners) listener(state);
}

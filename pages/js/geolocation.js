/// Where this device is: watches its position, shows it, and puts it into the outbox while sending
/// is switched on.

import { metresBetween, toFix } from "./fix.js";
import { outbox } from "./outbox.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";
import { TabTurn } from "./tab-turn.js";
import { keepAwake, keepAwakeWhile } from "./wake-lock.js";

/// A fix is kept when the last one is at least so old,
const FIX_INTERVAL_MS = 5_000;
/// or when the device has moved by more than so many metres.
const FIX_DISTANCE_M = 10;
/// Without a fix for so long the device is asked for one: somebody who sits still is not silent.
const HEARTBEAT_MS = 60_000;
/// How long the device may look for its position before it is asked again,
const SIGNAL_PATIENCE_MS = 30_000;
/// and how old the newest may be before there is said to be no signal.
const SILENCE_MS = 120_000;
/// A position of this age answers "where am I" without asking the device.
const FRESH_MS = 20_000;
/// One that is older than this does not answer it at all.
const STALE_MS = 10 * 60_000;
const SENDING_KEY = "kith.sending";

const listeners = new Set();
const browser = navigator.geolocation;
let watch = null;
let heartbeat = null;
let lookers = 0;
let kept = null;
let battery = null;
/// The browser's word on positions, once it was asked.
let permission = null;
/// This tab's turn as the one that puts fixes into the outbox: two would keep each of them twice.
const turn = new TabTurn("kith-position", () => {
    // The first position may have come before.
    if (state === "sending") keep(store.state.position);
});
/// `off`, `asks` (the person has to tap first), `waiting`, `sending`, `refused`, `no-signal`,
/// `unavailable`.
let state = "off";

export const geolocation = {
    get state() { return state; },

    get isSending() { return state !== "off" && isWanted(); },

    /// Calls back with each change of `state`.
    listen(listener) {
        listeners.add(listener);
        listener(state);
        return () => listeners.delete(listener);
    },

    /// Sends from now on, also after the page was loaded anew. Call it on the person's tap: the
    /// browser asks for permission.
    start() {
        const { me } = store.state;
        if (me?.demo) return;
        if (me) writeStored(SENDING_KEY, me.user);
        begin();
    },

    stop() {
        writeStored(SENDING_KEY, null);
        end();
    },

    /// Where this device is, sent or not: a Fix. Rejects with words for the person.
    async locate({ patience = SIGNAL_PATIENCE_MS } = {}) {
        if (store.state.me?.demo) throw new Error("The demo does not look where you are.");
        if (!browser || !window.isSecureContext) throw new Error(words({ code: 0 }));
        if (ageOf(store.state.position) < FRESH_MS) return store.state.position;
        // Some browsers answer nothing beside a watch before the device has moved.
        pauseWatch();
        try {
            return arrive(await currentPosition({ maximumAge: FRESH_MS, timeout: patience }));
        } catch (error) {
            if (ageOf(store.state.position) < STALE_MS) return store.state.position;
            throw new Error(words(error));
        } finally {
            watchOrNot();
        }
    },

    /// Keeps the own position on the map fresh until the function that it returns is called.
    look() {
        lookers += 1;
        watchOrNot();
        return () => {
            lookers -= 1;
            watchOrNot();
        };
    },
};

/// Whether some group sees me as on a journey or calling for help.
function isUnderway({ me, groups }) {
    return [...groups.values()].some((group) =>
        ["routing", "sos"].includes(group.states.get(me?.user)?.state));
}

// MARK: Beginning and ending

let owner = null;

/// People who rely on the positions rely on the screen's being on.
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
    return me !== null && !me.demo && readStored(SENDING_KEY) === me.user;
}

/// After a reload: goes on where that needs no question by the browser.
async function resume() {
    await knowPermission();
    if (isWanted() && state === "off") obey();
}

/// Asks the browser once, and hears of changes in its settings from then on.
async function knowPermission() {
    if (permission) return;
    try {
        permission = await navigator.permissions.query({ name: "geolocation" });
        permission.onchange = () => isWanted() && obey();
    } catch {
        // An old browser: asks when the person taps.
    }
}

/// Sends, or says why not, as the browser's permission has it.
function obey() {
    const may = permission?.state ?? "prompt";
    if (may === "granted") return heartbeat === null ? begin() : undefined;
    const reason = may === "denied" ? "refused" : "asks";
    if (heartbeat === null) tell(reason);
    else giveUp(reason);
}

function begin() {
    if (!browser || !window.isSecureContext) return tell("unavailable");
    knowPermission();
    if (state !== "sending") tell("waiting");
    turn.take();
    // A watch that was there to look says nothing more before the device has moved.
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
    const isNeeded = browser && !store.state.me?.demo && (lookers > 0 || heartbeat !== null);
    if (isNeeded && watch === null) {
        watch = browser.watchPosition(arrive, fail, {
            enableHighAccuracy: true, maximumAge: FRESH_MS, timeout: SIGNAL_PATIENCE_MS,
        });
    } else if (!isNeeded) {
        pauseWatch();
    }
}

function pauseWatch() {
    if (watch !== null) browser.clearWatch(watch);
    watch = null;
}

// MARK: Positions

function arrive(found) {
    const fix = toFix(found, battery?.level);
    store.change((each) => { each.position = fix; });
    if (!isWanted() || heartbeat === null) return fix;
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

/// A new watch makes the device say again where it is.
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

/// The watch is over; permission may be given again.
function giveUp(reason) {
    clearInterval(heartbeat);
    heartbeat = null;
    pauseWatch();
    tell(reason);
}

function currentPosition(options) {
    return new Promise((resolve, reject) => {
        browser.getCurrentPosition(resolve, reject, { enableHighAccuracy: true, ...options });
    });
}

/// Milliseconds since a fix was taken; infinite where there is none.
function ageOf(fix) {
    return fix ? Date.now() - Date.parse(fix.timestamp) : Infinity;
}

/// What a person can do about it.
function words({ code }) {
    if (code === 1) {
        return "The browser may not tell your position. Allow it in the settings of this site.";
    }
    if (code === 0) {
        return "This browser tells positions only to pages that come over HTTPS.";
    }
    return "No position was found. Under the open sky it works best.";
}

function tell(now) {
    if (now === state) return;
    state = now;
    for (const listener of listeners) listener(state);
}

/// Where this device is: watches its position, shows it, and puts it into the outbox while sending
/// is switched on.

import { outbox } from "./outbox.js";
import { store } from "./store.js";

/// A fix is kept when the last one is at least so old,
export const FIX_INTERVAL_MS = 5_000;
/// or when the device has moved by more than so many metres.
export const FIX_DISTANCE_M = 10;
/// Without a fix for so long the device is asked for one: somebody who sits still is not silent.
export const HEARTBEAT_MS = 60_000;
/// How long the device may look for its position before that is said.
export const SIGNAL_PATIENCE_MS = 30_000;
/// A position that is older than this is no answer to "where am I".
const FRESH_MS = 10_000;
const TURN_LOCK = "kith-position";
const SENDING_KEY = "kith.sending";

const listeners = new Set();
const browser = navigator.geolocation;
let watch = null;
let heartbeat = null;
let lookers = 0;
let kept = null;
let battery = null;
let wakeLock = null;
/// Ends this tab's turn as the one that puts fixes into the outbox.
let endTurn = null;
let isWriter = false;
/// `off`, `asks` (the person has to tap first), `waiting`, `sending`, `refused`, `no-signal`,
/// `unavailable`.
let state = "off";

export const whereabouts = {
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
        if (me) localStorage.setItem(SENDING_KEY, me.user);
        begin();
    },

    stop() {
        localStorage.removeItem(SENDING_KEY);
        end();
    },

    /// This device's position now, sent or not: a Fix. Rejects with words for the person.
    locate({ patience = SIGNAL_PATIENCE_MS } = {}) {
        const { position } = store.state;
        if (position && Date.now() - Date.parse(position.timestamp) < FRESH_MS) {
            return Promise.resolve(position);
        }
        if (!browser) return Promise.reject(new Error(words({ code: 0 })));
        return new Promise((resolve, reject) => {
            browser.getCurrentPosition(
                (found) => resolve(arrive(found)),
                (error) => reject(new Error(words(error))),
                { enableHighAccuracy: true, maximumAge: FRESH_MS, timeout: patience });
        });
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

/// A position of the browser as a Fix; what the device does not know is left away.
export function toFix({ coords, timestamp }, level = battery?.level) {
    // Some browsers count from another moment than 1970; that would be refused as too old.
    const at = Math.abs(Date.now() - timestamp) < 86_400_000 ? timestamp : Date.now();
    const fix = { latitude: coords.latitude, longitude: coords.longitude, timestamp: isoTime(at) };
    for (const name of ["accuracy", "altitude", "altitudeAccuracy", "heading", "speed"]) {
        if (Number.isFinite(coords[name])) fix[name] = rounded(coords[name]);
    }
    if (Number.isFinite(level)) fix.battery = Math.round(level * 100);
    return fix;
}

/// Metres between two fixes, good enough for short ways.
export function metresBetween(a, b) {
    const radians = Math.PI / 180;
    const north = (b.latitude - a.latitude) * radians;
    const turn = ((b.longitude - a.longitude + 540) % 360 - 180) * radians;
    const east = turn * Math.cos((a.latitude + b.latitude) / 2 * radians);
    return 6_371_009 * Math.hypot(north, east);
}

/// Whether some group sees me as on a journey or calling for help.
export function isUnderway({ me, groups }) {
    return [...groups.values()].some((group) =>
        ["routing", "sos"].includes(group.states.get(me?.user)?.state));
}

// MARK: Beginning and ending

let owner = null;

store.listen(({ me }) => {
    const now = me ? `${me.user}/${me.device}` : null;
    if (now !== owner) {
        owner = now;
        outbox.open(me);
        if (isWanted()) resume();
        else end();
    }
    keepAwake();
}, { isLasting: true });

function isWanted() {
    const { me } = store.state;
    return me !== null && localStorage.getItem(SENDING_KEY) === me.user;
}

/// After a reload: goes on where that needs no question by the browser.
async function resume() {
    let permission = "prompt";
    try {
        permission = (await navigator.permissions.query({ name: "geolocation" })).state;
    } catch {
        // An old browser: asks when the person taps.
    }
    if (!isWanted() || state !== "off") return;
    if (permission === "granted") begin();
    else tell(permission === "denied" ? "refused" : "asks");
}

function begin() {
    if (!browser) return tell("unavailable");
    if (state !== "sending") tell("waiting");
    takeTurn();
    watchOrNot();
    heartbeat ??= setInterval(beat, HEARTBEAT_MS / 4);
    if (!battery && navigator.getBattery) {
        navigator.getBattery().then((found) => { battery = found; }, () => {});
    }
    keepAwake();
}

function end() {
    clearInterval(heartbeat);
    heartbeat = null;
    endTurn?.();
    endTurn = null;
    kept = null;
    tell("off");
    watchOrNot();
    keepAwake();
}

/// One tab writes: two would keep each position twice.
function takeTurn() {
    if (endTurn) return;
    if (!navigator.locks) {
        isWriter = true;
        endTurn = () => { isWriter = false; };
        return;
    }
    const abort = new AbortController();
    let release = () => {};
    navigator.locks.request(TURN_LOCK, { signal: abort.signal }, () => {
        isWriter = true;
        // The first position may have come before.
        if (state === "sending") keep(store.state.position);
        return new Promise((resolve) => { release = resolve; });
    }).catch(() => {});
    endTurn = () => {
        isWriter = false;
        abort.abort();
        release();
    };
}

function watchOrNot() {
    const isNeeded = browser && (lookers > 0 || heartbeat !== null || state === "waiting");
    if (isNeeded && watch === null) {
        watch = browser.watchPosition(arrive, fail, {
            enableHighAccuracy: true, maximumAge: FRESH_MS, timeout: SIGNAL_PATIENCE_MS,
        });
    } else if (!isNeeded && watch !== null) {
        browser.clearWatch(watch);
        watch = null;
    }
}

// MARK: Positions

function arrive(found) {
    const fix = toFix(found);
    store.change((each) => { each.position = fix; });
    if (!isWanted() || heartbeat === null) return fix;
    keep(fix);
    tell("sending");
    return fix;
}

function keep(fix) {
    if (!isWriter || !isDue(fix)) return;
    kept = fix;
    outbox.put(fix);
}

function isDue(fix) {
    if (!kept) return true;
    const passed = Date.parse(fix.timestamp) - Date.parse(kept.timestamp);
    if (passed <= 0) return passed < -FIX_INTERVAL_MS;
    return passed >= FIX_INTERVAL_MS || metresBetween(kept, fix) > FIX_DISTANCE_M;
}

function beat() {
    const last = kept ? Date.parse(kept.timestamp) : 0;
    if (!isWriter || Date.now() - last < HEARTBEAT_MS) return;
    browser.getCurrentPosition(arrive, fail, {
        enableHighAccuracy: true, maximumAge: 0, timeout: SIGNAL_PATIENCE_MS,
    });
}

function fail(error) {
    if (state === "off") return;
    tell(error.code === 1 ? "refused" : "no-signal");
    if (error.code !== 1) return;
    // The watch is over; permission may be given again.
    clearInterval(heartbeat);
    heartbeat = null;
    watch = null;
}

/// What a person can do about it.
function words({ code }) {
    if (code === 1) {
        return "The browser may not tell your position. Allow it in the settings of this site.";
    }
    if (code === 0 || !window.isSecureContext) {
        return "This browser tells positions only to pages that come over HTTPS.";
    }
    return "No position was found. Under the open sky it works best.";
}

// MARK: The screen

/// While people rely on the positions the screen stays on: a browser that sleeps sends none.
async function keepAwake() {
    const isNeeded = heartbeat !== null && isUnderway(store.state)
        && document.visibilityState === "visible";
    if (!isNeeded) {
        wakeLock?.release?.();
        wakeLock = null;
        return;
    }
    if (wakeLock || !navigator.wakeLock) return;
    wakeLock = {};
    try {
        wakeLock = await navigator.wakeLock.request("screen");
        wakeLock.addEventListener("release", () => { wakeLock = null; });
    } catch {
        wakeLock = null;
    }
}

document.addEventListener("visibilitychange", keepAwake);

function tell(now) {
    if (now === state) return;
    state = now;
    for (const listener of listeners) listener(state);
}

function isoTime(milliseconds) {
    return new Date(milliseconds).toISOString();
}

function rounded(value) {
    return Math.round(value * 100) / 100;
}

/// The countdown during which a call for help can be cancelled, and a message if there is no one to
/// call.

import { newID, onSessionEnd } from "./api.js";
import { openDialog } from "./dialog.js";
import { h, write } from "./dom.js";
import { emergencyNumber } from "./emergency-number.js";
import { geolocation } from "./geolocation.js";
import { call } from "./help/card.js";
import { askReach } from "./known/asking.js";
import { reach } from "./known/reach.js";
import { beforeWords } from "./known/sos-words.js";
import { t } from "./language.js";
import { makeLines } from "./lines.js";
import { isDenied } from "./permission-note.js";
import { sosRequest } from "./sos-request.js";
import { emergencyOf } from "./sos-state.js";
import { readStored, writeStored } from "./storage.js";
import { store } from "./store.js";

export const COUNTDOWN_S = 5;
/// The minimum time left to cancel a countdown that is resumed.
const LEAST_S = 3;
/// A reloaded page resumes a countdown that began no longer ago than this; for an older one it
/// asks.
const RESUMED_MS = 60_000;
/// Per tab: `{user,since,id}`.
const KEY = "kith.sos-countdown";
/// A duplicated tab has a copy of the countdown.
const others = globalThis.BroadcastChannel ? new BroadcastChannel("kith-sos-countdown") : null;

sosRequest.listen(({ isLost, isAlone }) => {
    if (isAlone) tellAlone();
    if (isLost) {
        tell(t("Your SOS was not sent"), t("You are logged out. Log in and it is sent immediately. "
            + "Also call for help by phone."));
    }
});

/// Resumes a countdown that was not cancelled before a reload. Call it when `sosRequest` knows the
/// user of this page.
export function resumeCountDown(app) {
    const before = readStored(KEY, "sessionStorage");
    if (!before || before.user !== app.store.state.me?.user) return;
    const age = Date.now() - before.since;
    const isFresh = age >= 0 && age < RESUMED_MS;
    if (isFresh && !isCalling()) return countDown(app, before.since);
    forget(before.id);
    if (!isCalling()) sosRequest.askAbout(before.since);
}

/// Calls for help at the end, unless it is cancelled.
export function countDown(app, since = Date.now()) {
    const { me, groups, isLoaded } = app.store.state;
    if (isCalling()) return;
    if (isLoaded && groups.size === 0) return tellAlone();
    const id = newID();
    writeStored(KEY, { user: me.user, since, id }, "sessionStorage");
    let fix = app.store.state.position;
    let outcome = null;
    let left = Math.max(LEAST_S, COUNTDOWN_S - Math.floor((Date.now() - since) / 1000));
    geolocation.locate({ patience: left * 1000 })
        .then((found) => { fix = found; }, () => {});

    const digit = h("p", { class: "sos-digit numbers", role: "timer" }, String(left));
    let isPressed = false;
    const meant = (work) => (event) => {
        if (isPressed || event.detail === 0) work();
    };
    const end = (how) => {
        if (outcome) return;
        outcome = how;
        // A hidden page gets the dialog's close event only when it is shown again.
        clearInterval(timer);
        if (how === "called") sosRequest.call(fix);
        close();
    };
    const finish = () => end(isCalling() ? "elsewhere" : "called");
    const onWord = ({ data }) => data.user === me.user && end("elsewhere");
    others?.addEventListener("message", onWord);
    const unlisten = [
        // It was not cancelled: it is kept for the next login.
        onSessionEnd(finish),
        sosRequest.listen(() => isCalling() && end("elsewhere")),
        () => others?.removeEventListener("message", onWord),
    ];
    const timer = setInterval(() => {
        // The browser may bring back a page whose countdown another page in the same tab has
        // resumed.
        const mine = readStored(KEY, "sessionStorage");
        if (mine && mine.id !== id) return end("elsewhere");
        left -= 1;
        write(digit, String(left));
        if (left <= 0) finish();
    }, 1000);
    const words = h("div", { class: "sos-words" });
    const lines = makeLines(words);
    const say = (state) => lines(beforeWords(reach(state), {
        fix: state.position ?? fix, device: isDenied() ? "refused" : geolocation.state,
    }));
    say(app.store.state);
    unlisten.push(app.store.listen(say), geolocation.listen(() => say(app.store.state)));
    askReach();
    const cancel = h("button", {
        type: "button", class: "button sos-cancel", autofocus: true, onclick: meant(() => close()),
    }, t("Cancel"));
    const close = openDialog(t("Calling for help in"), [
        digit,
        words,
        cancel,
        h("div", { class: "row" },
            h("button", { type: "button", class: "button quiet", onclick: meant(finish) },
                t("Send it now")),
            numberLink(fix)),
    ], {
        kind: "sos-dialog",
        isFirm: true,
        closed: () => {
            clearInterval(timer);
            for (const each of unlisten) each();
            forget(id);
            if (outcome) return;
            outcome = "cancelled";
            others?.postMessage({ user: me.user });
            app.say(t("Cancelled. Nothing was sent."));
        },
    });
    // The key or pointer that was held is still down: ignore its repeats and its release.
    const dialog = cancel.closest("dialog");
    dialog.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    dialog.addEventListener("pointerdown", () => { isPressed = true; });
    cancel.focus();
}

/// Dials, independently of the call for help.
function numberLink(fix) {
    const number = emergencyNumber(fix);
    const link = h("a", { class: "button sos-number" });
    call(link, number, t("Call {number}", { number }));
    return link;
}

/// Whether the person has already called, by any means: a call triggered by vital signs may have
/// reached only some groups.
function isCalling() {
    const { phase } = sosRequest.current;
    if (phase === "on") return emergencyOf(store.state.me?.user)?.cause !== "vital-signs";
    return !["none", "stale"].includes(phase);
}

function forget(id) {
    if (readStored(KEY, "sessionStorage")?.id === id) writeStored(KEY, null, "sessionStorage");
}

// MARK: Messages

function tellAlone() {
    tell(t("No one to alert"), t("An SOS goes to the people in your groups, and you are not in a group. "
        + "No one was alerted. If you need help now, call for help by phone."));
}

function tell(title, text) {
    const close = openDialog(title, [
        h("p", null, text),
        h("div", { class: "row end" },
            numberLink(store.state.position),
            h("button", { type: "button", class: "button primary", onclick: () => close() },
                t("OK"))),
    ]);
}

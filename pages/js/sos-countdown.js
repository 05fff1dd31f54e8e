/// The countdown in which a call for help can be cancelled, and a message if there is nobody to
/// call.

import { newID, onSessionEnd } from "./api.js";
import { openDialog } from "./dialog.js";
import { sosRequest, reach } from "./sos-request.js";
import { h, write } from "./dom.js";
import { t } from "./language.js";
import { together } from "./format.js";
import { readStored, writeStored } from "./storage.js";
import { isLive } from "./store.js";
import { geolocation } from "./geolocation.js";

export const COUNTDOWN_S = 5;
/// The minimum time left to cancel a countdown that is resumed.
const LEAST_S = 3;
/// A reloaded page resumes a countdown that began no longer ago than this; about an older one it
/// asks.
const RESUMED_MS = 60_000;
/// Per tab: `{user,since,id}`.
const KEY = "kith.sos-countdown";
/// A duplicated tab has a copy of the countdown.
const others = globalThis.BroadcastChannel ? new BroadcastChannel("kith-sos-countdown") : null;

sosRequest.listen(({ isLost, isAlone }) => {
    if (isAlone) tellAlone();
    if (isLost) {
        tell(t("Your SOS was not sent"), t("You are logged out. Log in, and it is sent at once. "
            + "If you can, call somebody by phone, too."));
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
    const cancel = h("button", {
        type: "button", class: "button sos-cancel", autofocus: true, onclick: meant(() => close()),
    }, t("Cancel"));
    const close = openDialog(t("Calling for help in"), [
        digit,
        h("p", null, promise(app.store.state)),
        cancel,
        h("button", { type: "button", class: "button quiet", onclick: meant(finish) },
            t("Send it now")),
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
    // The key or pointer that was held is still down: its repeats and its release are no answer.
    const dialog = cancel.closest("dialog");
    dialog.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    dialog.addEventListener("pointerdown", () => { isPressed = true; });
    cancel.focus();
}

/// Whether a call has already been made, by whatever means.
function isCalling() {
    return !["none", "stale"].includes(sosRequest.current.phase);
}

function forget(id) {
    if (readStored(KEY, "sessionStorage")?.id === id) writeStored(KEY, null, "sessionStorage");
}

// MARK: Messages

function promise(state) {
    const { names, isKnown } = reach(state);
    if (isKnown && names.length === 0) {
        return t("Nobody else is in a group of yours: nobody will be alerted.");
    }
    const groups = together(names);
    if (!isLive(state)) {
        return groups
            ? t("Everybody in {groups} is alerted as soon as there is a connection. There is none "
                + "at the moment.", { groups })
            : t("Everybody in your groups is alerted as soon as there is a connection. There is "
                + "none at the moment.");
    }
    return groups
        ? t("Everybody in {groups} is alerted and shown where you are, as far as that is known.",
            { groups })
        : t("Everybody in your groups is alerted and shown where you are, as far as that is known.");
}

function tellAlone() {
    tell(t("Nobody to call"), t("An SOS goes to the people of your groups, and you are in none. "
        + "Nobody was alerted. If you need help now, call somebody by phone."));
}

function tell(title, text) {
    const close = openDialog(title, [
        h("p", null, text),
        h("div", { class: "row end" },
            h("button", { type: "button", class: "button primary", onclick: () => close() },
                t("OK"))),
    ]);
}

/// The seconds in which a call for help can be taken back, and the words where there is none.

import { onSessionEnd } from "./api.js";
import { openDialog } from "./dialog.js";
import { STALE_MS, distress, reach } from "./distress.js";
import { h, write } from "./dom.js";
import { together } from "./format.js";
import { whereabouts } from "./whereabouts.js";

export const COUNTDOWN_S = 5;
/// Whose countdown this tab shows, and since when: a page that is loaded anew goes on with it.
const KEY = "kith.sos-countdown";

distress.listen(({ isLost, isAlone }) => {
    if (isAlone) tellAlone();
    if (isLost) {
        tell("Your SOS was not sent", "You are logged out. Log in, and it is sent at once. "
            + "If you can, call somebody by phone, too.");
    }
});

/// Counts once more where the page was loaded anew meanwhile: nobody took the call back.
export function resumeCountDown(app) {
    const { user, since } = kept();
    if (user !== app.store.state.me?.user) return;
    if (Date.now() - since < STALE_MS) countDown(app);
    else forget();
}

/// Calls for help at the end, unless it is cancelled.
export function countDown(app) {
    const { me, groups, isLoaded } = app.store.state;
    if (isLoaded && groups.size === 0) return tellAlone();
    keep(me.user);
    let fix = app.store.state.position;
    let isCalled = false;
    let left = COUNTDOWN_S;
    whereabouts.locate({ patience: COUNTDOWN_S * 1000 })
        .then((found) => { fix = found; }, () => {});

    const digit = h("p", { class: "sos-digit numbers", role: "timer" }, String(left));
    let isPressed = false;
    const meant = (work) => (event) => {
        if (isPressed || event.detail === 0) work();
    };
    const finish = () => {
        if (isCalled) return;
        isCalled = true;
        distress.call(fix);
        forget();
        close();
    };
    // Nobody took it back: it is kept for the next login.
    const unlisten = onSessionEnd(finish);
    const timer = setInterval(() => {
        left -= 1;
        write(digit, String(left));
        if (left <= 0) finish();
    }, 1000);
    const cancel = h("button", {
        type: "button", class: "button sos-cancel", autofocus: true, onclick: meant(() => close()),
    }, "Cancel");
    const close = openDialog("Calling for help in", [
        digit,
        h("p", null, promise(app.store.state)),
        cancel,
        h("button", { type: "button", class: "button quiet", onclick: meant(finish) },
            "Send it now"),
    ], {
        kind: "sos-dialog",
        isFirm: true,
        closed: () => {
            clearInterval(timer);
            unlisten();
            forget();
            if (!isCalled) app.say("Cancelled. Nothing was sent.");
        },
    });
    // The key or the finger that was held is still down: its repetitions and its end are no answer.
    const dialog = cancel.closest("dialog");
    dialog.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    dialog.addEventListener("pointerdown", () => { isPressed = true; });
    cancel.focus();
}

// MARK: Keeping

function keep(user) {
    sessionStorage.setItem(KEY, JSON.stringify({ user, since: Date.now() }));
}

function kept() {
    try {
        return JSON.parse(sessionStorage.getItem(KEY)) ?? {};
    } catch {
        // Nothing that this page wrote.
        return {};
    }
}

function forget() {
    sessionStorage.removeItem(KEY);
}

// MARK: Words

function promise(state) {
    const { names, isKnown } = reach(state);
    if (names.length) return `Everybody in ${together(names)} is alerted and sees where you are.`;
    return isKnown
        ? "Nobody else is in a group of yours: nobody will be alerted."
        : "Everybody in your groups is alerted and sees where you are.";
}

function tellAlone() {
    tell("Nobody to call", "An SOS goes to the people of your groups, and you are in none. Nobody "
        + "was alerted. If you need help now, call somebody by phone.");
}

function tell(title, text) {
    const close = openDialog(title, [
        h("p", null, text),
        h("div", { class: "row end" },
            h("button", { type: "button", class: "button primary", onclick: () => close() }, "OK")),
    ]);
}

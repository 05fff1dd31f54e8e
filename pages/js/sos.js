/// The button that has to be held, the five seconds in which it can be taken back, and the words
/// on what became of the call.

import { ask, openDialog } from "./dialog.js";
import { distress, reach, whoKnows } from "./distress.js";
import { h, replace, svg, toggle, write } from "./dom.js";
import { moment, together } from "./format.js";
import { whileShown } from "./shown.js";
import { nameOf } from "./store.js";
import { whereabouts } from "./whereabouts.js";

/// How long the button has to be held.
export const HOLD_MS = 1_500;
/// In which it can be cancelled.
export const COUNTDOWN_S = 5;
const RING = 2 * Math.PI * 20;

export function sosButton(app) {
    const ring = svg("circle", {
        class: "sos-ring", cx: 22, cy: 22, r: 20, "stroke-dasharray": RING,
        "stroke-dashoffset": RING,
    });
    const label = h("span", { class: "sos-label" }, "SOS");
    const button = h("button", { type: "button", class: "sos-button", id: "sos" },
        svg("svg", { viewBox: "0 0 44 44", class: "sos-circle", "aria-hidden": "true" }, ring),
        label);
    const bar = makeBar();
    const element = h("div", { class: "sos-place" }, button);

    const hold = makeHold(button, ring, {
        canHold: () => distress.current.phase === "none",
        done: () => countDown(app),
        tooShort: () => app.say("Hold the SOS button for a moment to call for help."),
    });
    button.addEventListener("click", async () => {
        if (distress.current.phase === "on" && await areYouSafe()) distress.end();
    });

    let phase = "none";
    let seenBy = [];
    whileShown(element, (state) => {
        const current = distress.current;
        const known = whoKnows(state);
        if (element.isConnected && !bar.element.isConnected) {
            element.closest(".header")?.after(bar.element);
        }
        const isOn = current.phase === "on";
        write(label, isOn ? "I am safe" : "SOS");
        toggle(button, "aria-label", isOn ? null : "SOS: hold to call for help");
        button.classList.toggle("safe", isOn);
        button.disabled = !["none", "on"].includes(current.phase);
        bar.show(current, known, state);
        if (isOn && phase === "calling") said(app, reach(state));
        if (isOn && phase === "on") {
            for (const user of known.users.filter((each) => !seenBy.includes(each))) {
                app.say(`${nameOf(user)} has seen your SOS.`, "good");
                navigator.vibrate?.(200);
            }
        }
        if (phase !== current.phase) hold.stop();
        phase = current.phase;
        seenBy = known.users;
    }, { subscriptions: [(f) => distress.listen(f)] });
    return element;
}

function said(app, { names }) {
    app.say(names.length ? `Your SOS is out: ${together(names)} can see it.` : "Your SOS is out.",
        "good");
    navigator.vibrate?.([100, 80, 100]);
}

function areYouSafe() {
    return ask({
        title: "Are you safe?",
        text: "Your groups are told that your SOS is over. You go on sharing your location with "
            + "them until you switch that off.",
        yes: "I am safe",
        no: "Not yet",
    });
}

// MARK: Holding

/// Pointer, touch and the keys Space and Enter. Readers of the screen press without holding: for
/// them, too, the countdown is the second thought.
function makeHold(button, ring, { canHold, done, tooShort }) {
    let began = null;
    let frame = 0;
    let wasHeld = false;

    function start() {
        if (began !== null || !canHold()) return;
        began = performance.now();
        wasHeld = true;
        frame = requestAnimationFrame(turn);
    }

    function turn(now) {
        const part = Math.min(1, (now - began) / HOLD_MS);
        ring.setAttribute("stroke-dashoffset", RING * (1 - part));
        if (part < 1) {
            frame = requestAnimationFrame(turn);
            return;
        }
        stop();
        navigator.vibrate?.(120);
        done();
    }

    function stop() {
        cancelAnimationFrame(frame);
        began = null;
        ring.setAttribute("stroke-dashoffset", RING);
        // The click that ends the press comes after this.
        setTimeout(() => { wasHeld = began !== null; }, HOLD_MS / 3);
    }

    function release() {
        if (began === null) return;
        stop();
        tooShort();
    }

    button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        button.setPointerCapture?.(event.pointerId);
        start();
    });
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, release);
    button.addEventListener("blur", release);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
        if (![" ", "Enter"].includes(event.key) || !canHold()) return;
        event.preventDefault();
        if (!event.repeat) start();
    });
    button.addEventListener("keyup", (event) => {
        if (![" ", "Enter"].includes(event.key)) return;
        if (wasHeld) event.preventDefault();
        release();
    });
    button.addEventListener("click", (event) => {
        if (event.detail === 0 && !wasHeld && canHold()) done();
    });
    return { stop };
}

// MARK: Counting down

function countDown(app) {
    const { groups, isLoaded } = app.store.state;
    if (isLoaded && groups.size === 0) return tellAlone();
    let fix = app.store.state.position;
    let isCalled = false;
    let left = COUNTDOWN_S;
    whereabouts.locate({ patience: COUNTDOWN_S * 1000 }).then((found) => { fix = found; }, () => {});

    const digit = h("p", { class: "sos-digit numbers", role: "timer" }, String(left));
    let isPressed = false;
    const meant = (work) => (event) => {
        if (isPressed || event.detail === 0) work();
    };
    const finish = () => {
        isCalled = true;
        close();
    };
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
            if (isCalled) distress.call(fix);
            else app.say("Cancelled. Nothing was sent.");
        },
    });
    // The key or the finger that was held is still down: its repetitions and its end are no answer.
    const dialog = cancel.closest("dialog");
    dialog.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    dialog.addEventListener("pointerdown", () => { isPressed = true; });
    cancel.focus();
}

function promise(state) {
    const { names, isKnown } = reach(state);
    if (names.length) return `Everybody in ${together(names)} is alerted and sees where you are.`;
    return isKnown
        ? "Nobody else is in a group of yours: nobody will be alerted."
        : "Everybody in your groups is alerted and sees where you are.";
}

// MARK: What became of it

distress.listen(({ isLost, isAlone }) => {
    if (isAlone) tellAlone();
    if (isLost) {
        tell("Your SOS was not sent", "You are logged out. Log in, and it is sent at once. "
            + "If you can, call somebody by phone, too.");
    }
});

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

function makeBar() {
    const title = h("strong", { role: "alert" });
    const detail = h("p", { class: "small" });
    const actions = h("div", { class: "row" });
    const element = h("section", { class: "own-sos", "aria-label": "Your SOS", hidden: true },
        h("div", { class: "grow" }, title, detail), actions);
    let shown = "none";

    function show(current, known, state) {
        element.hidden = current.phase === "none";
        if (element.hidden) {
            shown = "none";
            return write(title, "");
        }
        element.dataset.phase = current.phase;
        write(title, titles[current.phase](current));
        write(detail, details[current.phase](current, known, state));
        if (shown === current.phase) return;
        shown = current.phase;
        replace(actions, buttons[current.phase]());
    }
    return { element, show };
}

const titles = {
    calling: () => "SOS not sent yet. Trying…",
    stale: ({ since }) => `Your SOS of ${moment(since)} was never sent.`,
    on: ({ since }) => `Your SOS is on since ${moment(since)}.`,
    ending: () => "Not told yet that you are safe. Trying…",
};

const details = {
    calling: ({ attempts, trouble }) => `${attempt(attempts, trouble)} Call somebody by phone, too.`,
    stale: () => "This device had no connection. Do you still need help?",
    on({ fixRefused }, { groups, users }, state) {
        const where = fixRefused ? ` Your position was refused: ${fixRefused}` : "";
        const { names, isKnown } = reach(state);
        if (isKnown && names.length === 0) {
            return `Nobody else is in a group of yours: nobody was alerted.${where}`;
        }
        if (users.length > 0) {
            return `Seen by ${together(users.map((user) => nameOf(user)))}.${where}`;
        }
        const who = groups.length ? together(groups) : "Your groups";
        return `Sent to ${who}. Nobody has said yet that they saw it.${where}`;
    },
    ending: ({ attempts, trouble }) => attempt(attempts, trouble),
};

function attempt(attempts, trouble) {
    if (!attempts) return "";
    return `${trouble ?? ""} Tried ${attempts === 1 ? "once" : `${attempts} times`}.`;
}

const buttons = {
    calling: () => [
        h("button", { type: "button", class: "button", onclick: () => distress.cancel() },
            "Cancel SOS"),
    ],
    stale: () => [
        h("button", { type: "button", class: "button", onclick: () => distress.callAfterAll() },
            "Send it now"),
        h("button", { type: "button", class: "button quiet", onclick: () => distress.cancel() },
            "Discard"),
    ],
    on: () => [],
    ending: () => [
        h("button", { type: "button", class: "button", onclick: () => distress.cancel() },
            "I still need help"),
    ],
};

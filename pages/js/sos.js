/// The button to hold for calling help; during an SOS it reports that I am safe.

import { ask } from "./dialog.js";
import { h, svg, toggle, write } from "./dom.js";
import { acknowledgedBy, responsesTo } from "./help/answers.js";
import { makeRehearsalBar, rehearsal, rehearse } from "./help/rehearsal.js";
import { hasWaitingJourney, shownAfterSOS } from "./known/shown.js";
import { afterWords } from "./known/sos-words.js";
import { t } from "./language.js";
import { makeBar } from "./sos-bar.js";
import { countDown, resumeCountDown } from "./sos-countdown.js";
import { sosRequest } from "./sos-request.js";
import { emergencyOf } from "./sos-state.js";
import { isLive } from "./store.js";
import { whileConnected } from "./while-connected.js";
import { vibrate } from "./vibrate.js";

/// How long the button has to be held.
const HOLD_MS = 1_500;
/// How often the status of my call is refreshed: positions grow old.
const TICK_MS = 5_000;
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
    const bar = makeBar(app);
    const rehearsed = makeRehearsalBar(app);
    const isDemo = () => app.store.state.me?.demo === true;
    const element = h("div", { class: "sos-place" }, button);

    const hold = makeHold(button, ring, {
        canHold: () => sosRequest.current.phase === "none" && !rehearsal.isOn,
        done: () => (isDemo() ? rehearse(app) : countDown(app)),
        tooShort: () => app.say(t("Hold the SOS button for a moment to call for help.")),
    });
    button.addEventListener("click", async () => {
        if (rehearsal.isOn) return rehearsal.end(app);
        if (sosRequest.current.phase === "on" && await areYouSafe(app.store.state)) sosRequest.end();
    });

    let phase = "none";
    let told = new Set();
    let hasResumed = false;
    whileConnected(element, (state) => {
        if (!hasResumed && state.me && sosRequest.owner === state.me.user) {
            hasResumed = true;
            if (!isDemo()) resumeCountDown(app);
        }
        const current = sosRequest.current;
        if (element.isConnected && !bar.element.isConnected) {
            element.closest(".header")?.after(bar.element, rehearsed.element);
        }
        const isOn = current.phase === "on";
        const ends = isOn || rehearsal.isOn;
        write(label, ends ? t("I am safe") : t("SOS"));
        toggle(button, "aria-label", ends ? null : t("SOS: hold to call for help"));
        button.classList.toggle("safe", ends);
        button.disabled = !["none", "on"].includes(current.phase);
        bar.show(current, state);
        // The bar shows the outcome; it is also felt.
        if (isOn && phase === "calling") vibrate([100, 80, 100]);
        const answers = isOn ? answersTo(state) : new Set();
        if (isOn && phase === "on") {
            if ([...answers].some((key) => !told.has(key))) vibrate(200);
        }
        if (phase !== current.phase) hold.stop();
        phase = current.phase;
        told = answers;
    }, { ms: TICK_MS, subscriptions: [(f) => sosRequest.listen(f), (f) => rehearsal.listen(f)] });
    return element;
}

/// The responses to my call: a key for each.
function answersTo(state) {
    const mine = emergencyOf(state.me?.user, state);
    if (!mine) return new Set();
    return new Set([
        ...responsesTo(mine, state).map(({ user, kind }) => `${kind} ${user}`),
        ...mine.alerts.flatMap((alert) => acknowledgedBy(alert, state)).map((user) => `seen ${user}`),
    ]);
}

function areYouSafe(state) {
    return ask({
        title: t("Are you safe?"),
        text: afterWords(shownAfterSOS(state), {
            isLive: isLive(state), goesOn: hasWaitingJourney(state),
            stopsSending: sosRequest.current.hasSwitchedOn === true,
        }),
        yes: t("I am safe"),
        no: t("Not yet"),
    });
}

// MARK: Holding

/// Handles pointer, touch, and the Space and Enter keys. Screen readers press without holding: for
/// their users the countdown is also the second thought.
function makeHold(button, ring, { canHold, done, tooShort }) {
    // Both the input event's time and the time when the page noticed: a busy page learns of a tap
    // late, and may draw nothing while the button is held.
    let began = null;
    let noticed = 0;
    let frame = 0;
    let wasHeld = false;

    function start({ timeStamp }) {
        if (began !== null || !canHold()) return;
        began = timeStamp;
        noticed = performance.now();
        wasHeld = true;
        frame = requestAnimationFrame(turn);
    }

    function turn(now) {
        const part = Math.min(1, (now - noticed) / HOLD_MS);
        ring.setAttribute("stroke-dashoffset", RING * (1 - part));
        if (part < 1) {
            frame = requestAnimationFrame(turn);
            return;
        }
        finish();
    }

    function finish() {
        stop();
        if (!canHold()) return;
        vibrate(120);
        done();
    }

    function stop() {
        cancelAnimationFrame(frame);
        began = null;
        ring.setAttribute("stroke-dashoffset", RING);
        // The click that ends the press is received after this.
        setTimeout(() => { wasHeld = began !== null; }, HOLD_MS / 3);
    }

    function release({ timeStamp }) {
        if (began === null) return;
        if (timeStamp - began >= HOLD_MS) return finish();
        stop();
        tooShort();
    }

    button.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        button.setPointerCapture?.(event.pointerId);
        start(event);
    });
    for (const name of ["pointerup", "pointercancel"]) button.addEventListener(name, release);
    button.addEventListener("blur", release);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
        if (![" ", "Enter"].includes(event.key) || !canHold()) return;
        event.preventDefault();
        if (!event.repeat) start(event);
    });
    button.addEventListener("keyup", (event) => {
        if (![" ", "Enter"].includes(event.key)) return;
        if (wasHeld) event.preventDefault();
        release(event);
    });
    button.addEventListener("click", (event) => {
        if (event.detail === 0 && !wasHeld && canHold()) done();
    });
    return { stop };
}

/// An SOS in the demo: it proceeds as a real one would, but nothing leaves this page, and the position
/// is not requested.

import { openDialog } from "../dialog.js";
import { h, keyed, write } from "../dom.js";
import { moment, together } from "../format.js";
import { t } from "../language.js";
import { COUNTDOWN_S } from "../sos-countdown.js";
import { vibrate } from "../vibrate.js";

/// When the invented answers appear, after the call.
const SEEN_MS = 2_500;
const COMING_MS = 6_000;

let current = null;
let timers = [];
const listeners = new Set();

export const rehearsal = {
    /// Whether a rehearsed call is active.
    get isOn() { return current !== null; },

    listen(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
    },

    end(app) {
        if (!current) return;
        change(null);
        app.say(t("The rehearsal is over. Nothing was sent, and no one was alerted."));
    },
};

function change(next) {
    current = next;
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    for (const listener of listeners) listener();
}

/// The countdown, in the demo.
export function rehearse(app) {
    if (current || document.querySelector(".rehearsal-dialog")) return;
    const others = othersOf(app.store.state);
    let left = COUNTDOWN_S;
    let isCalled = false;
    const digit = h("p", { class: "sos-digit numbers", role: "timer" }, String(left));
    const finish = () => {
        isCalled = true;
        clearInterval(timer);
        close();
        begin(others);
    };
    const timer = setInterval(() => {
        left -= 1;
        write(digit, String(left));
        if (left <= 0) finish();
    }, 1000);
    const close = openDialog(t("Rehearsal: calling for help in"), [
        digit,
        h("p", null, t("This is the demo: no one is alerted, and nothing leaves this page.")),
        h("p", { class: "small" }, others.length
            ? t("In your own group, everyone would be alerted now and see where you are. Here, "
                + "that would be {names}.", { names: together(others) })
            : t("In your own group, everyone would be alerted now and see where you are.")),
        h("button", {
            type: "button", class: "button sos-cancel", autofocus: true, onclick: () => close(),
        }, t("Cancel")),
        h("button", { type: "button", class: "button quiet", onclick: finish },
            t("Skip the countdown")),
    ], {
        kind: "sos-dialog rehearsal-dialog",
        isFirm: true,
        closed: () => {
            clearInterval(timer);
            if (!isCalled) app.say(t("Cancelled. Nothing was sent."));
        },
    });
    // The held key or pointer is still down: its repeats are not an answer.
    document.querySelector(".rehearsal-dialog")
        .addEventListener("keydown", (event) => event.repeat && event.preventDefault());
}

function begin(others) {
    const steps = [{ at: Date.now(), text: others.length
        ? t("Alerted now: {names}.", { names: together(others) })
        : t("Everyone in your groups is alerted now.") }];
    change({ since: Date.now(), steps });
    if (others.length === 0) return;
    const [coming, seen = coming] = others;
    timers = [
        setTimeout(() => step(t("{name} has seen it.", { name: seen })), SEEN_MS),
        setTimeout(() => step(t("{name} is coming.", { name: coming })), COMING_MS),
    ];
}

function step(text) {
    current.steps.push({ at: Date.now(), text });
    vibrate(200);
    for (const listener of listeners) listener();
}

function othersOf({ groups, group, me }) {
    return (groups.get(group)?.members ?? []).filter(({ user }) => user !== me?.user)
        .map(({ name }) => name).sort((a, b) => a.localeCompare(b));
}

/// The bar above every view during a rehearsal: `{element}`.
export function makeRehearsalBar(app) {
    const title = h("strong", { role: "alert" });
    const list = h("ol", { class: "small" });
    const show = keyed(list, ({ text, at }) => ({
        element: h("li", null, h("time", { class: "numbers" }, moment(at)), text),
    }), ({ key }) => key);
    const mark = h("span", { class: "rehearsal-mark" }, t("Rehearsal"));
    const end = h("button", {
        type: "button", class: "button", onclick: () => rehearsal.end(app),
    }, t("End the rehearsal"));
    const element = h("section", {
        class: "own-sos", "data-phase": "rehearsal", "aria-label": t("SOS rehearsal"),
        hidden: true,
    }, h("div", { class: "grow" }, mark, title, h("div", { role: "status" }, list),
        h("p", { class: "small" }, t("Nothing was sent, and the answers are invented."))), end);
    rehearsal.listen(() => {
        element.hidden = !current;
        write(title, current ? t("This is what your SOS would look like.") : "");
        show((current?.steps ?? []).map((each, index) => ({ key: `${index}`, ...each })));
    });
    return { element };
}

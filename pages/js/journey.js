/// Starts a journey or a check-in, and manages the current one.

import { h, replace } from "./dom.js";
import { icon } from "./icons.js";
import { makeCheckIn, makeWaiting } from "./journey-check-in.js";
import { makePlan } from "./journey-plan.js";
import { makeProgress } from "./journey-progress.js";
import { t } from "./language.js";
import { withRetry } from "./retry.js";
import { whileConnected } from "./while-connected.js";

const TICK_MS = 10_000;
/// Time for the map view to appear, to show the form.
const ROUTE_MS = 50;
/// A journey that starts this soon after the form has closed was started by it.
const BEGINS_MS = 10_000;

/// The form requested by another view: `plan` or `check-in`.
let asked = null;

/// Buttons to start one, their forms, and the current one; `app.journey.open(destination?)` and
/// `app.checkIn()` open the forms.
export function journeyControl(shell) {
    const app = { ...shell, call: withRetry(shell.call) };
    const element = h("div", { class: "journey", role: "group", "aria-label": t("My journey") });
    let mode = null;
    let panel = null;
    const show = (name, make) => {
        if (mode === name) return;
        mode = name;
        panel?.end?.();
        panel = make();
        replace(element, panel.element);
        const isOwn = name === "on" || name === "waiting";
        if (isOwn && performance.now() - closedAt < BEGINS_MS) reveal();
    };
    let form = null;
    let closedAt = -BEGINS_MS;
    let destination = null;
    const open = (name, where = null) => {
        form = name;
        destination = where;
        mode = null;
        update(app.store.state);
        if (!name || !element.isConnected) return;
        element.querySelector("button, input:checked")?.focus({ preventScroll: true });
        shell.sheet?.grow();
        reveal();
    };
    const close = () => {
        closedAt = performance.now();
        open(null);
    };
    function reveal() {
        const scroller = element.closest(".sheet-body");
        if (!scroller) return;
        // An element pinned above it would hide it.
        const pinned = [...scroller.querySelectorAll(".you")]
            .find((each) => getComputedStyle(each).position === "sticky");
        const way = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
        scroller.scrollBy({ top: way - (pinned?.offsetHeight ?? 0) });
    }
    shell.journey = { open: (where) => mayPlan(app) && openForm(shell, "plan", where) };
    shell.checkIn = () => mayPlan(app) && openForm(shell, "check-in");
    function update(state) {
        if (asked && element.isConnected) {
            const { name, where } = asked;
            asked = null;
            return open(name, where);
        }
        const wanted = state.destination;
        if (wanted) {
            state.destination = null;
            return open("plan", wanted);
        }
        element.hidden = state.groups.size === 0;
        const journey = ownJourney(state);
        if (journey) {
            form = null;
            if (journey.destination) show("on", () => makeProgress(app));
            else show("waiting", () => makeWaiting(app));
            panel.update(journey, state);
        } else if (form === "plan") {
            show("plan", () => makePlan(app, close, destination));
        } else if (form === "check-in") {
            show("check-in", () => makeCheckIn(app, close));
        } else {
            show("none", () => ({ element: makeButtons(open) }));
        }
    }
    whileConnected(element, update, { ms: TICK_MS });
    return element;
}

function makeButtons(open) {
    const button = (name, drawing, words) => h("button", {
        type: "button", class: "button wide", onclick: () => open(name),
    }, icon(drawing, 20), words);
    return h("div", { class: "stack tight" },
        button("plan", "flag", t("Start a journey")),
        button("check-in", "clock", t("I am all right until…")));
}

function openForm(shell, name, where = null) {
    asked = { name, where };
    shell.go("#map");
    setTimeout(() => {
        shell.store.change(() => {});
        shell.sheet?.open();
    }, ROUTE_MS);
}

/// Whether a journey or check-in can be planned now; if not, shows why.
export function mayPlan(app) {
    const { state } = app.store;
    const reason = ownJourney(state)
        ? t("You already have a journey or check-in in progress. End it first.")
        : state.groups.size === 0 ? t("A journey is shown to a group. Create a group first.") : "";
    if (reason) app.say(reason, "warning");
    return reason === "";
}

/// My journey as the groups see it, including one suspended by an SOS, with my state in one of them
/// and the names of those groups; or null.
function ownJourney({ me, groups }) {
    const found = [...groups.values()]
        .map(({ name, states }) => ({ name, own: states.get(me?.user) }))
        .filter(({ own }) => own?.journey);
    if (found.length === 0) return null;
    const [{ own }] = found;
    return { ...own.journey, own, groups: found.map(({ name }) => name) };
}

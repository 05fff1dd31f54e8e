/// Starts a journey, and manages the current one.

import { serverNow } from "./clock.js";
import { ask } from "./dialog.js";
import { h, replace, write } from "./dom.js";
import { metresBetween } from "./fix.js";
import { makeField, problemText } from "./form.js";
import { coordinates, distance, duration, fieldTime, moment } from "./format.js";
import { icon } from "./icons.js";
import { withRetry } from "./retry.js";
import { makePlan } from "./journey-plan.js";
import { createLink } from "./share-links/links.js";
import { whileConnected } from "./while-connected.js";
import { isLive } from "./store.js";

const MINUTE_MS = 60_000;
const TICK_MS = 10_000;
const MORE_MINUTES = [10, 30];

export function journeyControl(shell) {
    const app = { ...shell, call: withRetry(shell.call) };
    const element = h("div", { class: "journey", role: "group", "aria-label": "My journey" });
    let mode = null;
    let panel = null;
    const show = (name, make) => {
        if (mode === name) return;
        mode = name;
        panel?.end?.();
        panel = make();
        replace(element, panel.element);
    };
    let isPlanning = false;
    let destination = null;
    const plan = (value, where = null) => {
        isPlanning = value;
        destination = where;
        update(app.store.state);
        if (!value) return;
        element.querySelector("button")?.focus({ preventScroll: true });
        const scroller = element.closest(".sheet-body");
        const way = element.getBoundingClientRect().top - scroller?.getBoundingClientRect().top;
        scroller?.scrollBy({ top: way });
    };
    function update(state) {
        const journey = ownJourney(state);
        const wanted = state.destination;
        if (wanted) {
            state.destination = null;
            mode = null;
            return plan(true, wanted);
        }
        element.hidden = state.groups.size === 0;
        if (journey) {
            isPlanning = false;
            show("on", () => makeProgress(app));
            panel.update(journey, state);
        } else if (isPlanning) {
            show("plan", () => makePlan(app, () => plan(false), destination));
        } else {
            show("none", () => ({
                element: h("button", {
                    type: "button", class: "button wide", onclick: () => plan(true),
                }, icon("flag", 20), "Start a journey"),
            }));
        }
    }
    whileConnected(element, update, { ms: TICK_MS });
    return element;
}

/// Whether a journey can be planned now; if not, says why.
export function mayPlan(app) {
    const { state } = app.store;
    const reason = ownJourney(state) ? "You are on a journey already. Stop that one first."
        : state.groups.size === 0 ? "A journey is shown to a group. Make a group first." : "";
    if (reason) app.say(reason, "warning");
    return reason === "";
}

/// My journey as the groups see it, with my state in one of them; or null.
function ownJourney({ me, groups }) {
    for (const group of groups.values()) {
        const own = group.states.get(me?.user);
        if (own?.state === "routing" && own.journey) return { ...own.journey, own };
    }
    return null;
}

// MARK: The current journey

function makeProgress(app) {
    const title = h("h2");
    const times = h("p", { class: "numbers" });
    const rest = h("p", { class: "small muted numbers" });
    const late = h("p", { class: "small warning-text", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    let current = null;

    const extendTo = (eta) => perform(error, async () => {
        await app.call("journey.start", { extend: true, eta: new Date(eta).toISOString() });
        app.say(`Your groups now expect you at ${moment(eta)}.`, "good");
    });
    const at = makeField({
        name: "eta", label: "New time of arrival", type: "datetime-local",
    });
    const byTime = h("details", {
        ontoggle: () => { at.input.value = fieldTime(Date.parse(current.eta)); },
    },
        h("summary", null, "Change the arrival time"),
        h("form", {
            class: "row",
            onsubmit: (event) => {
                event.preventDefault();
                if (!at.value) return at.setError("Choose a time.");
                extendTo(new Date(at.value).getTime());
                byTime.open = false;
            },
        }, at.element, h("button", { type: "submit", class: "button" }, "Set")));
    const stop = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            const isSure = await ask({
                title: "Stop this journey?",
                text: "Your groups are told that you stopped, and your path is withdrawn.",
                yes: "Stop the journey", no: "Go on",
            });
            if (isSure) await perform(error, () => app.call("journey.stop"));
        },
    }, "Stop");
    const link = h("div", { role: "status" });
    const share = h("button", {
        type: "button", class: "button",
        onclick: () => createLink(app, { what: "journey" }, link, error),
    }, "Share it by a link");
    const element = h("div", { class: "stack" },
        title, times, rest, late,
        h("div", { class: "row" },
            MORE_MINUTES.map((minutes) => h("button", {
                type: "button", class: "button",
                onclick: () => extendTo(
                    Math.max(serverNow(), Date.parse(current.eta)) + minutes * MINUTE_MS),
            }, `+${minutes} min`)),
            stop),
        byTime, share, link, error);

    return {
        element,
        update(journey, state) {
            current = journey;
            const { destination, eta, remainingDistance } = journey;
            write(title, `On the way to ${destination.name ?? coordinates(destination, 4)}`);
            const left = Date.parse(eta) - serverNow();
            write(times, `Expected at ${moment(eta)}`
                + (left > 0 ? `, in ${duration(left)}` : ""));
            const metres = remainingDistance
                ?? (state.position ? metresBetween(state.position, destination) : null);
            write(rest, [
                metres === null ? "" : `${distance(metres)} to go, as the crow flies.`,
                journey.own.fix ? "" : "Your group has no position of you yet.",
            ].filter(Boolean).join(" "));
            const words = isLive(state) ? warningWords(journey.own.warnings ?? [], left)
                : "No connection: what your group sees is not known at the moment. It is told when "
                    + "the server hears nothing of you.";
            write(late, words);
            late.hidden = words === "";
        },
    };
}

function warningWords(warnings, left) {
    if (warnings.includes("silent") || warnings.includes("offline")) {
        return "No position of you comes in: your group has been told.";
    }
    if (warnings.includes("late")) {
        return "You are late: your group has been told. Extend the time if all is well.";
    }
    if (left < 0) return "The time is over. Extend it if all is well: else your group is told.";
    if (warnings.includes("stuck")) return "Your group has been told that you do not move on.";
    return "";
}

async function perform(error, work) {
    write(error, "");
    try {
        await work();
    } catch (problem) {
        write(error, problemText(problem));
    }
}

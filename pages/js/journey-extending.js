/// Moves the time of a journey or a check-in: by some minutes, or to a given time.

import { serverNow } from "./clock.js";
import { h, write } from "./dom.js";
import { makeField, problemText } from "./form.js";
import { duration, fieldTime } from "./format.js";
import { MINUTE_MS } from "./journey-parts.js";
import { t } from "./language.js";

/// - Parameters:
///   - minutes: the steps offered.
///   - summary: opens the rest.
///   - said: makes the confirmation.
export function makeExtending(app, { label, summary, error, minutes, said }) {
    let current = null;
    const extendTo = (eta) => perform(error, async () => {
        await app.call("journey.start", { extend: true, eta: new Date(eta).toISOString() });
        app.say(said(eta), "good");
        byTime.open = false;
    });
    const at = makeField({ name: "eta", label, type: "datetime-local" });
    const byTime = h("details", {
        ontoggle: () => { at.input.value = fieldTime(Date.parse(current.eta)); },
    },
    h("summary", null, summary),
    h("form", {
        class: "row",
        onsubmit: (event) => {
            event.preventDefault();
            if (!at.value) return at.setError(t("Choose a time."));
            extendTo(new Date(at.value).getTime());
        },
    }, at.element, h("button", { type: "submit", class: "button" }, t("Set"))));
    const steps = minutes.map((each) => h("button", {
        type: "button", class: "button",
        onclick: () => extendTo(Math.max(serverNow(), Date.parse(current.eta)) + each * MINUTE_MS),
    }, t("+{duration}", { duration: duration(each * MINUTE_MS) })));
    return {
        steps,
        byTime,
        element: h("div", { class: "stack tight" }, h("div", { class: "row" }, steps), byTime),
        update(journey) { current = journey; },
    };
}

export async function perform(error, work) {
    write(error, "");
    try {
        await work();
    } catch (problem) {
        write(error, problemText(problem));
    }
}

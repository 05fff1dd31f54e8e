/// A check-in: "I am all right until 23:00". The groups are notified if it is not confirmed in time.
/// To the server it is a journey without a destination.

import { serverNow } from "./clock.js";
import { h, write } from "./dom.js";
import { showProblem } from "./form.js";
import { duration, moment, together } from "./format.js";
import { makeExtending, perform } from "./journey-extending.js";
import { makeGroups, makeSends, makeStartForm, makeWhen, problemsOf } from "./journey-parts.js";
import { t } from "./language.js";
import { isLive } from "./store.js";

const PROPOSED_MINUTES = [30, 60, 120];
const USUAL_MINUTES = 60;
const MORE_MINUTES = [30, 60];

/// The form for a new check-in; `done` is called when it has started or the person has cancelled.
export function makeCheckIn(app, done) {
    const when = makeWhen({
        legend: t("I am all right for"), label: t("Until"), minutes: PROPOSED_MINUTES,
        usual: USUAL_MINUTES,
    });
    const groups = makeGroups(app);
    const sends = makeSends(app);
    const error = h("p", { class: "error", role: "alert" });
    const submit = h("button", { type: "submit", class: "button primary" }, t("Start"));
    const start = async () => {
        const eta = when.eta();
        const errors = problemsOf(eta, groups.chosen());
        if (errors.length > 0) throw { errors };
        sends.begin();
        await app.call("journey.start", {
            groups: groups.chosen(), eta: new Date(eta).toISOString(),
        });
        app.say(t("Confirm by {time} that you are all right.", { time: moment(eta) }), "good");
        done();
    };
    const element = makeStartForm({
        label: t("I am all right until…"), fields: [when.field, groups.field], error, start, submit,
        show: showProblem,
    },
    h("p", { class: "small muted" },
        t("If you don't confirm by then that you are all right, your group is notified, with your "
            + "last position.")),
    when.element, groups.element, sends.element, error,
    h("div", { class: "row" }, submit,
        h("button", { type: "button", class: "button", onclick: done }, t("Cancel"))));
    return { element };
}

/// The check-in in progress.
export function makeWaiting(app) {
    const title = h("h2");
    const rest = h("p", { class: "numbers", role: "timer" });
    const shown = h("p", { class: "small muted" });
    const late = h("p", { class: "small warning-text", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const extending = makeExtending(app, {
        label: t("Until"), summary: t("Later…"), error, minutes: MORE_MINUTES,
        said: (eta) => t("Confirm by {time} that you are all right.", { time: moment(eta) }),
    });
    const allRight = h("button", {
        type: "button", class: "button primary wide",
        onclick: () => perform(error, async () => {
            allRight.disabled = true;
            try {
                await app.call("journey.stop");
                app.say(t("Your groups are notified that you are all right."), "good");
            } finally {
                allRight.disabled = false;
            }
        }),
    }, t("I am all right"));
    return {
        element: h("div", { class: "stack" }, title, rest, shown, late, allRight,
            extending.element, error),
        update(journey, state) {
            extending.update(journey);
            const left = Date.parse(journey.eta) - serverNow();
            write(title, t("All right until {time}", { time: moment(journey.eta) }));
            write(rest, left > 0 ? t("{duration} left", { duration: duration(left) })
                : t("{duration} overdue", { duration: duration(-left) }));
            write(shown, t("Shown to {groups}.", { groups: together(journey.groups) }));
            const words = isLive(state) ? warningWords(journey.own, left)
                : t("No connection: what your group sees right now is unknown.");
            write(late, words);
            late.hidden = words === "";
        },
    };
}

function warningWords({ state, warnings = [] }, left) {
    if (state === "sos") return t("The journey resumes when the SOS is over.");
    if (warnings.includes("late")) {
        return t("Your group has been notified that you have not checked in. If you are all right, "
            + "confirm it.");
    }
    return left < 0
        ? t("Time is up. Confirm that you are all right, or your group will be notified.") : "";
}

/// The form for a new journey: destination, arrival time and the groups to notify.

import { LIMITS } from "./contract.js";
import { rememberDestination } from "./destinations.js";
import { h, write } from "./dom.js";
import { makeField, showProblem } from "./form.js";
import { moment } from "./format.js";
import { makeGroups, makeSends, makeStartForm, makeWhen, problemsOf } from "./journey-parts.js";
import { makeWhere } from "./journey-where.js";
import { t } from "./language.js";

const PROPOSED_MINUTES = [10, 20, 30, 45, 60, 90, 120];
const USUAL_MINUTES = 30;
/// In metres; the server's default.
const USUAL_RADIUS = 50;

/// The form for a new journey; `done` is called when it has started or the person has cancelled.
///
/// - Parameter destination: `{latitude,longitude,name?}`, if already chosen.
/// - Returns: `{element,end()}`.
export function makePlan(app, done, destination = null) {
    const name = makeField({
        name: "destination.name", label: t("Name (optional)"), maxlength: LIMITS.name,
    });
    const radius = makeField({
        name: "destination.radius", label: t("Arrival radius (metres)"), type: "number", min: 1,
        max: 100_000, step: 1, value: String(USUAL_RADIUS), inputmode: "numeric",
    });
    const where = makeWhere(app, {
        radiusOf: () => Number(radius.value) || USUAL_RADIUS,
        named: (words) => { name.input.value = [...words].slice(0, LIMITS.name).join(""); },
    });
    radius.input.addEventListener("input", where.draw);
    const when = makeWhen({
        legend: t("I arrive in"), label: t("Arrival time"), minutes: PROPOSED_MINUTES,
        usual: USUAL_MINUTES,
    });
    const groups = makeGroups(app);
    const sends = makeSends(app);
    const error = h("p", { class: "error", role: "alert" });
    const fields = [...where.fields, name, when.field, radius, groups.field];

    const start = async () => {
        where.read();
        const eta = when.eta();
        const errors = problemsOf(eta, groups.chosen());
        if (!where.point && !where.isTyped) {
            write(error, t("Choose where you are going."));
            where.focus();
            return;
        }
        if (!where.point) {
            errors.unshift({
                field: "destination.latitude",
                reason: t("Latitude and longitude are degrees, such as 46.05 and 14.51"),
            });
            where.open();
        }
        if (errors.length > 0) throw { errors };
        sends.begin();
        const goal = {
            ...where.point, ...(name.value.trim() ? { name: name.value.trim() } : {}),
        };
        await app.call("journey.start", {
            groups: groups.chosen(),
            destination: {
                ...goal, ...(Number(radius.value) > 0 ? { radius: Number(radius.value) } : {}),
            },
            eta: new Date(eta).toISOString(),
        });
        rememberDestination(goal);
        app.say(t("Your groups expect you at {time}.", { time: moment(eta) }), "good");
        done();
    };
    const submit = h("button", { type: "submit", class: "button primary" }, t("Start"));
    const element = makeStartForm({
        label: t("Start a journey"), fields, error, start, submit, show: showProblem,
    },
    h("p", { class: "small muted" },
        t("Your group sees where you are going, and is notified when you arrive or are late.")),
    where.element, name.element, when.element, groups.element,
    h("details", null, h("summary", null, t("More")), radius.element),
    sends.element, error,
    h("div", { class: "row" }, submit,
        h("button", { type: "button", class: "button", onclick: done }, t("Cancel"))));
    if (destination) {
        where.set(destination);
        app.people.showArea(destination);
    }
    return { element, end: where.end };
}

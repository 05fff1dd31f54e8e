/// The form for a new or existing reminder.

import { serverNow } from "../clock.js";
import { h, write } from "../dom.js";
import { makeChoice, makeField, makeForm } from "../form.js";
import { fieldTimeIn } from "../format.js";
import { ownZone } from "../account/channel-words.js";
import { t } from "../language.js";
import { makeDays } from "./days.js";
import { makeRule, readRepetition, startOn, weekdayOf } from "./repetition.js";
import { USUAL_RADIUS, complaints } from "./reminder-words.js";
import { zoneCity, zoneWords } from "./words.js";
import { HOUR_MS } from "../units.js";

/// - Parameters:
///   - about: `{place}`, a Place or a Geofence, for a new one; `{reminder,place?}` for an existing
///     one.
///   - saved, cancelled: called at the end.
/// - Returns: `{element,focus()}`.
export function makeReminderForm(app, { place, reminder }, { saved, cancelled }) {
    const zone = reminder?.timeZone ?? place?.timeZone ?? ownZone();
    const soon = fieldTimeIn(zone, Math.ceil((serverNow() + HOUR_MS) / HOUR_MS) * HOUR_MS);
    const { repeat, days } = readRepetition(reminder?.rrule, reminder?.at);
    const text = makeField({
        name: "text", label: t("Remind me of"), maxlength: 300, autocomplete: "off",
        value: reminder?.text ?? "",
    });
    const when = makeChoice("when", t("When"), whenChoices(place, reminder));
    when.input.value = reminder?.when ?? "time";
    const at = makeField({
        name: "at", label: t("Day and time"), type: "datetime-local",
        value: reminder ? reminder.at.slice(0, 16) : soon,
        hint: zoneWords(zone, serverNow()) ? t("{city} time.", { city: zoneCity(zone) }) : undefined,
    });
    const label = at.element.querySelector("label");
    const radius = makeField({
        name: "radius", label: t("Within (metres)"), type: "number", min: 20, max: 50_000, step: 1,
        inputmode: "numeric", value: String(Math.round(reminder?.radius ?? USUAL_RADIUS)),
        hint: t("Works only while this page or one of your phones sends your location."),
    });
    const again = makeChoice("repeat", t("Repeat"), [
        ["never", t("Once")], ["daily", t("Every day")], ["weekly", t("Every week")],
        ["monthly", t("Every month on that day")], ["yearly", t("Every year")],
        ...(repeat === "other" ? [["other", t("Unchanged: {rrule}", { rrule: reminder.rrule })]] : []),
    ]);
    again.input.value = repeat;
    const shortMonths = h("p", { class: "hint", role: "status" });
    again.element.append(shortMonths);
    const dayBoxes = makeDays("rrule", t("On these days"), days);
    const fields = [text, when, at, radius, again, dayBoxes];

    let isTimeChosen = Boolean(reminder);
    at.input.addEventListener("input", () => { isTimeChosen = true; });
    const show = () => {
        // Reminders with another condition apply from now on, unless a time is chosen.
        if (!isTimeChosen) at.input.value = when.value === "time" ? soon : "";
        write(label, when.value === "time" ? t("Day and time") : t("Not before"));
        radius.element.hidden = when.value !== "near";
        dayBoxes.element.hidden = again.value !== "weekly";
        const day = Number(at.value.slice(8, 10));
        write(shortMonths, again.value === "monthly" && day > 28
            ? t("Months without a day {day} are skipped.", { day }) : "");
        if (again.value === "weekly" && dayBoxes.value.length === 0 && at.value) {
            dayBoxes.choose([weekdayOf(at.value)]);
        }
    };
    for (const { input } of [when, again, at]) input.addEventListener("input", show);
    show();

    const element = makeForm({
        fields,
        button: reminder ? t("Save") : t("Remind me"),
        submit: async (form) => {
            const values = { ...form, days: dayBoxes.value };
            const errors = complaints(values, fieldTimeIn(zone, serverNow()), reminder);
            if (errors.length > 0) throw { errors };
            const request = reminder ? changes(values, reminder, { repeat, days })
                : { place: place.place ?? place.geofence, timeZone: zone, ...all(values) };
            const answer = await app.call(reminder ? "reminder.update" : "reminder.create", request);
            app.say(reminder ? t("Reminder changed.") : t("You will be reminded."), "good");
            saved(answer.reminder);
        },
        after: h("button", { type: "button", class: "button wide", onclick: cancelled }, t("Cancel")),
    });
    return { element, focus: () => text.input.focus({ preventScroll: true }) };
}

/// "When it opens" only if that can be known.
function whenChoices(place, reminder) {
    const opens = reminder?.when === "opens"
        || (place?.openingHours && (place.state !== "unknown" || place.nextChange));
    return [
        ["time", t("At a time")],
        ...(opens ? [["opens", t("When it opens")]] : []),
        ["near", t("When I am near")],
    ];
}

function all({ text, when, at, radius, repeat, days }) {
    const start = repeat === "weekly" && at ? startOn(at, days) : at;
    return {
        text: text.trim(), when, at: start || undefined,
        radius: when === "near" ? Number(radius) : undefined,
        rrule: makeRule(repeat, days) ?? undefined,
    };
}

/// Unchanged values are omitted: the server keeps them to the second, and as they were written.
function changes(values, old, { repeat, days }) {
    const request = { reminder: old.reminder, text: values.text.trim(), when: values.when };
    if (values.when === "near") request.radius = Number(values.radius);
    const isSameRule = values.repeat === repeat
        && (repeat !== "weekly" || values.days.join() === days.join());
    if (!isSameRule) request.rrule = makeRule(values.repeat, values.days);
    const start = values.repeat === "weekly" && values.at
        ? startOn(values.at, values.days) : values.at;
    if (start && start !== old.at.slice(0, 16)) request.at = start;
    return request;
}

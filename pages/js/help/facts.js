/// Facts about where a person is: the place, its coordinates, the position's age, and the battery.
/// For another person, or for yourself, to read out to the emergency number.

import { serverNow } from "../clock.js";
import { h, toggle, write } from "../dom.js";
import { age, coordinates, dateTime, percent } from "../format.js";
import { accuracyWords, isAnywhere, warned, withinWords } from "../known/accuracy.js";
import { t } from "../language.js";
import { nearWords } from "../near.js";

/// A person who needs help may have moved since.
const OLD_MS = 2 * 60_000;
const LOW_BATTERY = 20;

/// - Parameter isOwn: whether it is about the reader.
/// - Returns: `{place,when,rest,update(fix)}`: elements to be placed separately.
export function makeFacts(app, { isOwn = false } = {}) {
    let fix = null;
    const place = h("p", { class: "help-place", hidden: true });
    const point = h("span", { class: "help-point numbers", dir: "ltr" });
    const copy = h("button", {
        type: "button", class: "button quiet",
        onclick: () => copyPoint(app, fix, point),
    }, t("Copy"));
    copy.setAttribute("aria-label", t("Copy the coordinates"));
    const line = h("div", { class: "help-point-line" }, point, copy);
    const when = h("p", { class: "help-age" });
    const battery = h("p", { class: "help-battery", hidden: true });

    function update(next, now = serverNow()) {
        fix = next ?? null;
        // A name that is not known yet appears with a later update.
        write(place, fix ? nearWords(fix) : "");
        place.hidden = place.textContent === "";
        line.hidden = !fix;
        if (fix) write(point, coordinates(fix));
        write(when, ageWords(fix, isOwn, now));
        toggle(when, "data-old", !fix || isAnywhere(fix) || now - new Date(fix.timestamp) >= OLD_MS);
        when.title = fix ? dateTime(fix.timestamp) : "";
        const hasLevel = Number.isFinite(fix?.battery);
        battery.hidden = !hasLevel;
        write(battery, hasLevel ? t("Battery: {percent}", { percent: percent(fix.battery) }) : "");
        toggle(battery, "data-low", hasLevel && fix.battery <= LOW_BATTERY);
    }
    return { place, when, rest: h("div", { class: "help-rest" }, line, battery), update };
}

function ageWords(fix, isOwn, now) {
    if (!fix) {
        return isOwn ? t("Your position is not known.") : t("No position is known.");
    }
    const values = { age: age(fix.timestamp, now), accuracy: withinWords(fix) };
    const isOld = now - new Date(fix.timestamp) >= OLD_MS;
    if (isOld) return warned(t("This position is old: {age}.", values), fix);
    return values.accuracy ? t("Position: {age}, accurate to {accuracy}", values)
        : [t("Position: {age}", values), accuracyWords(fix)].filter(Boolean).join(" · ");
}

async function copyPoint(app, { latitude, longitude }, point) {
    const text = `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`;
    try {
        await navigator.clipboard.writeText(text);
        app.say(t("Coordinates copied."), "good");
    } catch {
        getSelection()?.selectAllChildren(point);
        app.say(t("Copy the selected coordinates."));
    }
}

/// The details of one place, and the actions there.

import { serverNow } from "../clock.js";
import { h, replace, toggle, write } from "../dom.js";
import { problemText } from "../form.js";
import { coordinates, moment } from "../format.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { isLive } from "../store.js";
import { whenBack } from "./coming-back.js";
import { placeFacts } from "./facts.js";
import { makeReminderForm } from "./reminder-form.js";
import { makeReminderRows } from "./reminder-rows.js";
import { geoLink, isOutdated } from "./words.js";

const AGAIN_MS = 60_000;

/// - Parameter named: called with the place when it is known.
export function makePlacePage(app, { named }) {
    const isDemo = app.store.state.me?.demo === true;
    const facts = h("p");
    const details = h("dl", { class: "facts" });
    const description = h("p", { class: "break" });
    const word = h("p", { class: "small muted", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const journey = h("button", {
        type: "button", class: "button primary", onclick: () => app.planJourney(place),
    }, icon("flag", 20), t("Journey there"));
    const show = h("button", {
        type: "button", class: "button", onclick: () => app.showPlace(place),
    }, icon("map", 20), t("Show on the map"));
    const geo = h("a", { class: "button" }, icon("pin", 20), t("Open in a maps app"));
    const remind = h("button", {
        type: "button", class: "button", "aria-expanded": "false", onclick: () => openForm(),
    }, icon("bell", 20), t("Remind me here"));
    journey.hidden = remind.hidden = isDemo;
    const formPlace = h("div");
    const rows = makeReminderRows(app, { label: t("My reminders here"), changed: () => loadReminders() });
    const reminders = h("section", {
        class: "card", "aria-labelledby": "reminders-here-title", hidden: true,
    }, h("h2", { id: "reminders-here-title" }, t("My reminders here")), rows.element);
    const body = h("div", { class: "stack", hidden: true },
        h("section", { class: "card", "aria-label": t("About this place") },
            facts, h("div", { class: "row place-actions" }, journey, remind, show, geo),
            description, details),
        formPlace, reminders);
    const element = h("div", { class: "stack" }, error, word, body);
    let id = null;
    let place = null;
    let at = 0;
    const back = whenBack(() => load());

    async function load() {
        const mine = id;
        loadReminders();
        try {
            const answer = await app.call("place.get", { place: mine });
            if (mine !== id) return;
            place = answer.place;
            at = serverNow();
            write(error, "");
            back.note();
            draw();
            named(place);
        } catch (problem) {
            if (mine !== id) return;
            back.note(problem);
            update();
            write(error, problem.kind === "unknown-place"
                ? t("This place no longer exists.") : problemText(problem));
        }
    }

    async function loadReminders() {
        if (isDemo) return;
        const { shown } = await rows.load((reminder) => reminder.place === id);
        reminders.hidden = shown.length === 0;
    }

    function draw() {
        body.hidden = false;
        placeFacts(facts, place, serverNow());
        write(description, place.description);
        description.hidden = !place.description;
        replace(details, [
            [t("Opening hours"), place.openingHours],
            [t("Address"), place.address],
            [t("Telephone"), place.phone && phoneLinks(place.phone)],
            [t("Website"), place.website && h("a", {
                href: place.website, target: "_blank", rel: "noopener noreferrer", class: "break",
            }, place.website.replace(/^https?:\/\/(?:www\.)?|\/$/g, ""))],
            [t("Position"), h("span", { class: "small numbers" }, coordinates(place, 4))],
        ].filter(([, value]) => value).map(([name, value]) => [
            h("dt", null, name), h("dd", { class: "break" }, value),
        ]));
        toggle(geo, "href", geoLink(place));
        update();
    }

    function openForm() {
        if (remind.getAttribute("aria-expanded") === "true") return closeForm();
        const form = makeReminderForm(app, { place }, {
            saved: () => {
                closeForm();
                loadReminders();
            },
            cancelled: () => closeForm(),
        });
        toggle(remind, "aria-expanded", "true");
        replace(formPlace, h("section", {
            class: "card", "aria-label": t("New reminder"),
        }, h("h2", null, t("Remind me here")), form.element));
        app.sheet?.grow();
        formPlace.scrollIntoView({ block: "start" });
        form.focus();
    }

    function closeForm() {
        replace(formPlace);
        toggle(remind, "aria-expanded", "false");
        remind.focus({ preventScroll: true });
    }

    function update() {
        if (place) {
            placeFacts(facts, place, serverNow());
            write(word, isLive() ? "" : t("No connection: last updated {time}.", { time: moment(at) }));
        }
        if (place && isOutdated(place) && isLive() && serverNow() - at > AGAIN_MS) load();
        else back.check();
    }

    return {
        element,
        /// Shows another place, or the same one again.
        show(wanted) {
            if (wanted !== id) {
                id = wanted;
                place = null;
                body.hidden = true;
                replace(formPlace);
                toggle(remind, "aria-expanded", "false");
                write(error, "");
                write(word, "");
            }
            load();
        },
        update,
        get place() { return place; },
    };
}

/// OpenStreetMap separates several numbers by semicolons.
function phoneLinks(text) {
    return text.split(";").map((part) => part.trim()).filter(Boolean).map((number, index) => [
        index ? ", " : "", h("a", { href: `tel:${number.replace(/[^\d+]/g, "")}` }, number),
    ]);
}

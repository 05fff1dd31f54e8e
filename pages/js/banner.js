/// A banner above every view: who needs help, and what you can do about it immediately.

import { whenCalm } from "./calm.js";
import { h, keyed, toggle, write } from "./dom.js";
import { emergencyNumber } from "./emergency-number.js";
import { moment } from "./format.js";
import { answerButtons } from "./help/answer-buttons.js";
import { answer } from "./help/answers.js";
import { call, helpCard } from "./help/card.js";
import { whoWords } from "./help/who.js";
import { icon } from "./icons.js";
import { t } from "./language.js";
import { emergencies, isSeen } from "./sos-state.js";
import { isLive, store } from "./store.js";

export function makeBanner(app) {
    const element = h("div", { class: "banner", role: "region", "aria-label": t("SOS") });
    const show = keyed(element, (emergency) => makeRow(app, emergency), ({ user }) => user);
    let shown = "";
    const update = () => {
        const open = emergencies();
        shown = keyOf(open);
        element.hidden = open.length === 0;
        show(open);
    };
    // Adding or removing a row moves everything below.
    const unlisten = store.listen(() => (keyOf(emergencies()) === shown ? update() : whenCalm(update)));
    update();
    return {
        element,
        remove() {
            unlisten();
            element.remove();
        },
    };
}

const keyOf = (open) => open.map(({ user }) => user).join(" ");

function makeRow(app, { user }) {
    let emergency = null;
    const title = h("strong", { role: "alert" });
    const detail = h("div", { class: "detail", role: "status" });
    const lines = keyed(detail, () => {
        const line = h("p");
        return { element: line, update: ({ text }) => write(line, text) };
    }, ({ key }) => key);
    const acknowledge = h("button", {
        type: "button", class: "button", onclick: async () => {
            acknowledge.disabled = true;
            if (!await answer(app, emergency, "seen")) acknowledge.disabled = false;
        },
    }, t("I have seen it"));
    const number = h("a", { class: "button" });
    const answers = answerButtons(app, () => emergency);
    const showMap = h("button", {
        type: "button", class: "button quiet banner-map",
        onclick: () => showOnMap(app, user, emergency.groups),
    }, t("Show on map"));
    const card = h("div", { class: "banner-card", id: `help-${user}`, hidden: true });
    const moreWord = h("span", null, t("More"));
    const more = h("button", {
        type: "button", class: "button quiet", "aria-expanded": "false",
        "aria-controls": card.id, onclick: () => openCard(card.hidden),
    }, moreWord, icon("chevron", 18));
    const element = h("div", { class: "sos-banner" },
        h("span", { class: "sos-sign", "aria-hidden": "true" }, t("SOS")),
        h("div", { class: "words" }, h("div", null, title), detail),
        h("div", { class: "banner-actions" },
            acknowledge, answers.coming, number, showMap, more),
        card);

    /// The card is made when it is first opened.
    function openCard(isOpen) {
        if (isOpen && !card.firstChild) {
            card.append(helpCard(app, user, { more: [mapButton(app, () => emergency)] }).element);
        }
        card.hidden = !isOpen;
        toggle(more, "aria-expanded", String(isOpen));
        write(moreWord, isOpen ? t("Less") : t("More"));
        element.classList.toggle("open", isOpen);
    }
    /// The buttons below move with the lines.
    function say() {
        const { name, cause } = emergency;
        write(title, cause === "vital-signs"
            ? t("{name} may need medical help", { name }) : t("{name} needs help", { name }));
        lines(detailsOf(emergency).map((text, index) => ({ key: `${index}`, text })));
    }
    return {
        element,
        update(next) {
            emergency = next;
            const seen = isSeen(emergency);
            element.classList.toggle("seen", seen);
            toggle(showMap, "aria-label", t("Show on map: {name}", { name: emergency.name }));
            whenCalm(say);
            const called = emergency.number ?? emergencyNumber(emergency.fix);
            call(number, called, t("Call {number}", { number: called }));
            answers.update();
            acknowledge.hidden = seen;
            acknowledge.disabled = emergency.alerts.length === 0;
        },
    };
}

function mapButton(app, emergency) {
    return h("button", {
        type: "button", class: "button",
        onclick: () => showOnMap(app, emergency().user, emergency().groups),
    }, icon("map", 20), t("Show on map"));
}

function detailsOf(emergency) {
    const isKnown = isLive();
    const { since, assistedAt, isUnanswered, alerts, number } = emergency;
    const { coming, called, seen } = whoWords(emergency);
    const isAnswered = coming || called || seen;
    return [
        t("SOS since {time}.", { time: moment(since) }),
        alerts.some(({ journeyWaits }) => journeyWaits)
            ? t("The journey resumes when the SOS is over.") : "",
        alerts.some(({ clockWrong }) => clockWrong)
            ? t("A clock is wrong, so the call shows the time it arrived.") : "",
        assistedAt ? t("Dispatch has answered, {time}.", { time: moment(assistedAt) })
            : "",
        isUnanswered ? unansweredWords(number) : "",
        coming, called, seen,
        !isAnswered && isKnown ? t("No one has answered yet.") : "",
        isKnown ? "" : t("No connection: this may be out of date."),
    ].filter(Boolean);
}

function unansweredWords(number) {
    return number ? t("No dispatcher has answered. Call {number} yourself.", { number })
        : t("No dispatcher has answered. Call for help yourself.");
}

/// Goes to the map, in a group that has that person as a member.
export function showOnMap(app, user, groups) {
    store.change((state) => {
        if (!groups.includes(state.group)) state.group = groups[0];
        state.selected = user;
    });
    const fix = groups
        .map((group) => store.state.groups.get(group)?.states.get(user)?.fix).find(Boolean);
    if (fix) app.showPoint({ ...fix, user });
    else app.go("#map");
}

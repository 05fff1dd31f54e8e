/// The entry of an emergency: the helpers' card while it is active; afterwards, what happened.

import { showOnMap } from "../banner.js";
import { h, keyed, replace, toggle, write } from "../dom.js";
import { age, dateTime, duration, moment, time, together } from "../format.js";
import { helpCard } from "../help/card.js";
import { icon } from "../icons.js";
import { t } from "../language.js";
import { store } from "../store.js";
import { storyOf } from "./story.js";

/// `view`: `{key,emergency,isOpen,hasGroups}`.
export function makeEmergencyRow(app, { emergency: { user } }) {
    const isMine = user === store.state.me?.user;
    const sign = h("span", { class: "alert-sign", "aria-hidden": "true" });
    const title = h("p", { class: "alert-text", dir: "auto" });
    const when = h("time", { class: "small muted" });
    const steps = h("ol", { class: "story small" });
    const showSteps = keyed(steps, makeStep, ({ key }) => key);
    const story = h("details", { class: "story-box" },
        h("summary", { class: "small" }, t("What happened")), steps);
    const show = h("button", {
        type: "button", class: "button",
        onclick: () => showOnMap(app, user, groupsOf(emergency)),
    }, icon("map", 20), t("Show on map"));
    let emergency = null;
    let card = null;
    let wasOpen = null;
    const body = h("div", { class: "alert-body" }, title, when, story);
    const element = h("li", { class: "alert emergency", "data-kind": "emergency" }, sign, body);

    function openOrNot(isOpen) {
        if (isOpen === wasOpen) return;
        wasOpen = isOpen;
        sign.className = `alert-sign ${isOpen ? "danger" : ""}`;
        replace(sign, icon(isOpen ? "warning" : "clock", 22));
        toggle(element, "data-over", !isOpen);
        story.open = isOpen;
        card?.element.remove();
        card = isOpen && !isMine ? helpCard(app, user, { more: [show] }) : null;
        if (card) story.before(card.element);
    }
    return {
        element,
        update(view) {
            ({ emergency } = view);
            openOrNot(view.isOpen);
            write(title, titleOf(emergency, view.isOpen, isMine));
            const began = emergency.startedAt ?? emergency.alerts[0].at;
            write(when, [
                whenWords(emergency, view.isOpen),
                view.hasGroups ? together(groupsOf(emergency).map(nameOfGroup).filter(Boolean)) : "",
            ].filter(Boolean).join(" · "));
            when.dateTime = began;
            when.title = dateTime(began);
            showSteps(storyOf(emergency).map((step, index) => ({ key: `${index}`, ...step })));
            card?.update();
        },
    };
}

function makeStep() {
    const when = h("time", { class: "nowrap muted numbers" });
    const text = h("span", { dir: "auto" });
    return {
        element: h("li", null, when, text),
        update(step) {
            write(when, step.at ? time(step.at) : "");
            toggle(when, "datetime", step.at);
            write(text, step.text);
        },
    };
}

function titleOf({ name, isMedical }, isOpen, isMine) {
    if (isOpen && isMine) return t("You have called for help");
    if (isOpen) return isMedical ? t("{name} may need medical help", { name })
        : t("{name} needs help", { name });
    return isMedical ? t("Medical emergency: {name}", { name }) : t("SOS from {name}", { name });
}

function whenWords({ startedAt, endedAt, leftAt, alerts }, isOpen) {
    const began = startedAt ?? alerts[0].at;
    const end = endedAt ?? leftAt;
    const values = {
        start: moment(began), end: end ? moment(end) : "", age: age(began),
        duration: end ? duration(Date.parse(end) - Date.parse(began)) : "",
    };
    if (isOpen) return t("Since {start}, {age}", values);
    if (!end) return t("{start}, over", values);
    if (!startedAt) return t("Ended {end}", values);
    return endedAt ? t("{start} to {end} ({duration}), over", values)
        : t("{start} to {end} ({duration}), then left", values);
}

const groupsOf = ({ alerts }) => [...new Set(alerts.map(({ group }) => group))];
const nameOfGroup = (group) => store.state.groups.get(group)?.name;

/// A banner above every view: who needs help.

import { h, keyed, toggle, write } from "./dom.js";
import { problemText } from "./form.js";
import { moment, together } from "./format.js";
import { emergencies, isSeen } from "./sos-state.js";
import { isLive, nameOf, store } from "./store.js";

export function makeBanner(app) {
    const element = h("div", { class: "banner", role: "alert", "aria-label": "SOS" });
    const show = keyed(element, () => makeRow(app), (emergency) => emergency.user);
    const update = () => show(emergencies());
    const unlisten = store.listen(update);
    update();
    return {
        element,
        remove() {
            unlisten();
            element.remove();
        },
    };
}

function makeRow(app) {
    let emergency = null;
    const title = h("strong");
    const detail = h("span", { class: "detail" });
    const acknowledge = h("button", {
        type: "button", class: "button",
        onclick: () => acknowledgeAll(app, emergency, acknowledge),
    }, "Acknowledge");
    const call = h("a", { class: "button" });
    const showMap = h("button", {
        type: "button", class: "button quiet",
        onclick: () => showOnMap(app, emergency.user, emergency.groups),
    }, h("span", { class: "long" }, "Show on "), h("span", { class: "map-word" }, "map"));
    const element = h("div", { class: "sos-banner" },
        h("span", { class: "sos-sign", "aria-hidden": "true" }, "SOS"),
        h("div", { class: "words" }, h("div", null, title), detail),
        showMap, call, acknowledge);
    return {
        element,
        update(next) {
            emergency = next;
            const { me } = store.state;
            const seen = isSeen(emergency);
            element.classList.toggle("seen", seen);
            write(title, emergency.cause === "vital-signs"
                ? `${emergency.name} may need medical help` : `${emergency.name} needs help`);
            toggle(showMap, "aria-label", `Show on map: ${emergency.name}`);
            const by = [...new Set(emergency.alerts.flatMap((alert) => alert.acknowledgedBy))]
                .map((user) => (user === me?.user ? "you" : nameOf(user)));
            const isKnown = isLive();
            write(detail, [
                `SOS since ${moment(emergency.since)}.`,
                emergency.assistedAt
                    ? `Somebody has said that they send help, ${moment(emergency.assistedAt)}.` : "",
                emergency.isUnanswered ? "Nobody who sends help has answered: please call." : "",
                by.length ? `Acknowledged by ${together(by)}.`
                    : isKnown ? "Nobody has acknowledged it yet." : "",
                isKnown ? "" : "No connection: what has become of it is not known at the moment.",
            ].filter(Boolean).join(" "));
            call.hidden = !emergency.number;
            write(call, `Call ${emergency.number}`);
            toggle(call, "href", emergency.number && `tel:${emergency.number.replace(/ /g, "")}`);
            acknowledge.hidden = seen;
            acknowledge.disabled = emergency.alerts.length === 0;
        },
    };
}

async function acknowledgeAll(app, emergency, button) {
    const me = store.state.me?.user;
    button.disabled = true;
    try {
        for (const alert of emergency.alerts) {
            if (alert.acknowledgedBy.includes(me)) continue;
            app.live.apply.alert((await app.call("alert.acknowledge", { alert: alert.id })).alert);
        }
    } catch (problem) {
        app.say(problemText(problem), "error");
        button.disabled = false;
    }
}

/// Goes to the map, in a group that has that person as a member.
export function showOnMap(app, user, groups) {
    store.change((state) => {
        if (!groups.includes(state.group)) state.group = groups[0];
        state.selected = user;
    });
    const fix = groups
        .map((group) => store.state.groups.get(group)?.states.get(user)?.fix).find(Boolean);
    if (fix) app.showPoint(fix);
    else app.go("#map");
}

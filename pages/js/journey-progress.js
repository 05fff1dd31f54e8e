/// The journey that I am on.

import { serverNow } from "./clock.js";
import { ask } from "./dialog.js";
import { h, keyed, write } from "./dom.js";
import { metresBetween } from "./geodesy.js";
import { coordinates, distance, duration, moment } from "./format.js";
import { makeExtending, perform } from "./journey-extending.js";
import { t } from "./language.js";
import { createLink } from "./share-links/links.js";
import { isLive } from "./store.js";

const MORE_MINUTES = [10, 30];

export function makeProgress(app) {
    const title = h("h2");
    const times = h("p", { class: "numbers" });
    const rest = h("p", { class: "small muted numbers" });
    const late = h("p", { class: "small warning-text", role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const extending = makeExtending(app, {
        label: t("New time of arrival"), summary: t("Change the arrival time"), error,
        minutes: MORE_MINUTES,
        said: (eta) => t("Your groups now expect you at {time}.", { time: moment(eta) }),
    });
    const stop = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            const isSure = await ask({
                title: t("Stop this journey?"),
                text: t("Your groups are told that you stopped, and your path is withdrawn."),
                yes: t("Stop the journey"), no: t("Go on"),
            });
            if (isSure) await perform(error, () => app.call("journey.stop"));
        },
    }, t("Stop"));
    const one = makeStopForOne(app, error);
    const link = h("div", { role: "status" });
    const share = h("button", {
        type: "button", class: "button",
        onclick: () => createLink(app, { what: "journey" }, link, error),
    }, t("Share it by a link"));
    const element = h("div", { class: "stack" },
        title, times, rest, late,
        h("div", { class: "row" }, extending.steps, stop),
        extending.byTime, one.element, share, link, error);

    return {
        element,
        update(journey, state) {
            extending.update(journey);
            one.update(state);
            const { destination, eta, remainingDistance } = journey;
            write(title, t("On the way to {place}", {
                place: destination.name ?? coordinates(destination, 4),
            }));
            const left = Date.parse(eta) - serverNow();
            write(times, left > 0
                ? t("Expected at {time}, in {duration}", {
                    time: moment(eta), duration: duration(left),
                })
                : t("Expected at {time}", { time: moment(eta) }));
            const metres = remainingDistance
                ?? (state.position ? metresBetween(state.position, destination) : null);
            write(rest, [
                metres === null ? ""
                    : t("{distance} to go, as the crow flies.", { distance: distance(metres) }),
                journey.own.fix ? "" : t("Your group has no position of you yet."),
            ].filter(Boolean).join(" "));
            const words = isLive(state) ? warningWords(journey.own, left)
                : t("No connection: what your group sees is not known at the moment. It is told when "
                    + "the server hears nothing of you.");
            write(late, words);
            late.hidden = words === "";
        },
    };
}

/// Where several groups follow the journey: it can end for one of them, which goes on seeing me.
function makeStopForOne(app, error) {
    const list = h("div", { class: "stack" });
    const element = h("details", { hidden: true },
        h("summary", null, t("Stop it for one group")), list);
    const show = keyed(list, ({ group }) => {
        let name = "";
        const button = h("button", {
            type: "button", class: "button wide",
            onclick: async () => {
                const isSure = await ask({
                    title: t("Stop this journey for {name}?", { name }),
                    text: t("They learn that you stopped, and go on seeing where you are."),
                    yes: t("Stop the journey"), no: t("Go on"),
                });
                if (isSure) await perform(error, () => app.call("journey.stop", { groups: [group] }));
            },
        });
        return {
            element: button,
            update(next) {
                name = next.name;
                write(button, name);
            },
        };
    }, ({ group }) => group);
    return {
        element,
        update({ groups, me }) {
            const following = [...groups.values()]
                .filter(({ states }) => states.get(me?.user)?.state === "routing");
            element.hidden = following.length < 2;
            show(following);
        },
    };
}

function warningWords({ state, warnings = [] }, left) {
    if (state === "sos") return t("The journey goes on when the SOS is over.");
    if (warnings.includes("silent") || warnings.includes("offline")) {
        return t("Your position is not arriving: your group has been told.");
    }
    if (warnings.includes("late")) {
        return t("You are late: your group has been told. Extend the time if all is well.");
    }
    if (left < 0) return t("The time is over. Extend it if all is well: else your group is told.");
    if (warnings.includes("stuck")) return t("Your group has been told that you do not move on.");
    return "";
}

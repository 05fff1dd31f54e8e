/// The current journey.

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
        label: t("New arrival time"), summary: t("Change the arrival time"), error,
        minutes: MORE_MINUTES,
        said: (eta) => t("Your groups now expect you at {time}.", { time: moment(eta) }),
    });
    const stop = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            const isSure = await ask({
                title: t("Stop this journey?"),
                text: t("Your groups will be notified that you stopped, and your path will be "
                    + "withdrawn."),
                yes: t("Stop the journey"), no: t("Keep going"),
            });
            if (isSure) await perform(error, () => app.call("journey.stop"));
        },
    }, t("Stop"));
    const one = makeStopForOne(app, error);
    const link = h("div", { role: "status" });
    const share = h("button", {
        type: "button", class: "button",
        onclick: () => createLink(app, { what: "journey" }, link, error),
    }, t("Share by link"));
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
                journey.own.fix ? "" : t("Your group doesn't have your position yet."),
            ].filter(Boolean).join(" "));
            const words = isLive(state) ? warningWords(journey.own, left)
                : t("No connection: what your group sees right now is unknown. It is notified when "
                    + "the server hears nothing from you.");
            write(late, words);
            late.hidden = words === "";
        },
    };
}

/// If several groups follow the journey, it can end for one of them, which still sees me.
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
                    text: t("They will be notified that you stopped, and will still see where you "
                        + "are."),
                    yes: t("Stop the journey"), no: t("Keep going"),
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
    if (state === "sos") return t("The journey resumes when the SOS is over.");
    if (warnings.includes("silent") || warnings.includes("offline")) {
        return t("Your position is not arriving: your group has been notified.");
    }
    if (warnings.includes("late")) {
        return t("You are late: your group has been notified. Extend the time if all is well.");
    }
    if (left < 0) return t("Time is up. Extend it if all is well, or your group will be notified.");
    if (warnings.includes("stuck")) {
        return t("Your group has been notified that you have stopped moving.");
    }
    return "";
}

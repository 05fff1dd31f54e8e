/// Links that show people without an account where I am: making, listing and ending them.

import { newID } from "../api.js";
import { serverNow } from "../clock.js";
import { h, keyed, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { dateTime, moment } from "../format.js";
import { t, tn } from "../language.js";
import { showLink } from "../link-box.js";
import { HOUR_MS } from "../units.js";

/// Link durations, and their labels.
const TIMES = [
    ["1", t("For an hour")], ["4", t("For 4 hours")], ["24", t("For a day")],
    ["168", t("For a week")],
];

/// `changed`: called when a link was added or ended.
export function makeLinks(app, changed) {
    const made = h("div", { role: "status" });
    const error = h("p", { class: "error", role: "alert" });
    const time = h("select", { id: "link-time" },
        TIMES.map(([hours, words]) => h("option", { value: hours }, words)));
    const make = h("button", {
        type: "button", class: "button",
        onclick: async () => {
            const until = new Date(serverNow() + Number(time.value) * HOUR_MS).toISOString();
            // The error stays readable: reloading would remove it.
            if (await createLink(app, { what: "position", until }, made, error)) changed();
        },
    }, t("Make a link"));
    const list = h("ul", { class: "list", "aria-label": t("Links") });
    const show = keyed(list, (link) => makeLinkItem(app, link, () => {
        replace(made);
        changed();
    }), (link) => link.share);

    async function load() {
        try {
            const { shares } = await app.call("share.list");
            show(shares);
            write(error, "");
        } catch (problem) {
            write(error, problemText(problem));
        }
    }

    const element = h("section", { class: "card", "aria-labelledby": "links-title" },
        h("h2", { id: "links-title" }, t("Links for people without an account")),
        h("p", { class: "small muted" },
            t("Anyone with such a link sees where you are, and nothing else about you, until it ends.")),
        list, made,
        h("div", { class: "field" },
            h("label", { for: "link-time" }, t("How long the link shows where I am")), time),
        error, h("div", { class: "row" }, make));
    return { element, load };
}

/// Makes a link and shows it in `place`; returns whether that was done.
export async function createLink(app, link, place, error) {
    write(error, "");
    try {
        const { path, until } = await app.call("share.create", { id: newID(), ...link });
        replace(place, path
            ? showLink(app, {
                path, title: t("Where I am"),
                words: link.what === "journey"
                    ? t("Anyone who has it sees this journey until {time}. It is shown only once; you "
                        + "can end it under People.", { time: dateTime(until) })
                    : t("Anyone who has it sees where you are until {time}. It is shown only once; you "
                        + "can end it under People.", { time: dateTime(until) }),
            })
            : h("p", null, t("The link was lost. End it, and make another.")));
        return true;
    } catch (problem) {
        write(error, problemText(problem));
        return false;
    }
}

/// A link in a list, with the button that ends it; `reload` is called after that.
export function makeLinkItem(app, { share }, reload) {
    const words = h("span");
    const more = h("span", { class: "muted small" });
    const end = h("button", {
        type: "button", class: "button quiet danger",
        onclick: async () => {
            try {
                await app.call("share.end", { share });
                app.say(t("That link no longer shows anything."));
            } catch (problem) {
                app.say(problemText(problem), "error");
            }
            reload();
        },
    }, t("End"));
    return {
        element: h("li", { class: "row" },
            h("span", { class: "grow member-body" }, words, more), end),
        update({ what, until, opened, openedAt }) {
            write(words, what === "journey"
                ? t("My journey, until {time}", { time: dateTime(until) })
                : t("Where I am, until {time}", { time: dateTime(until) }));
            write(more, opened === 0 ? t("Not opened yet")
                : tn(opened, "Opened once, last {time}", "Opened {count} times, last {time}",
                    { time: moment(openedAt) }));
        },
    };
}

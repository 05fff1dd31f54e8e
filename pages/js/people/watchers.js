/// Who sees where I am, and the way to end it at once.

import { serverNow } from "../clock.js";
import { ask } from "../dialog.js";
import { h, replace, write } from "../dom.js";
import { problemText } from "../form.js";
import { moment, number, together } from "../format.js";
import { icon } from "../icons.js";
import { isLive } from "../store.js";

export function makeWatchers(app, changed) {
    const summary = h("p", { role: "status" });
    const list = h("ul", { class: "list" });
    const error = h("p", { class: "error", role: "alert" });
    const off = h("button", {
        type: "button", class: "button danger",
        onclick: async () => {
            const isSure = await ask({
                title: "Turn your location off?",
                text: "All sharing ends, with friends and with groups, and the last position that "
                    + "the server knows is deleted. On a journey or in an SOS stop that first: "
                    + "people rely on it.",
                yes: "Location off", danger: true,
            });
            if (!isSure) return;
            write(error, "");
            try {
                const { deleted } = await app.call("location.off");
                app.say(receipt(deleted, app.store.state), "good");
            } catch (problem) {
                write(error, `Not done: ${problemText(problem)}`);
            }
            changed();
        },
    }, "Location off");
    const element = h("section", { class: "card", "aria-labelledby": "watchers-title" },
        h("h2", { id: "watchers-title", class: "row" }, icon("eye"), "Who can see me"),
        summary, list, error, h("div", { class: "row" }, off));

    let known = null;
    let at = null;
    /// Also of when that is, where it is not of now.
    function summarize() {
        if (known === null) return write(summary, "Not known at the moment.");
        const count = known.length;
        const words = count === 0 ? "Nobody sees where you are."
            : `${number(count)} ${count === 1 ? "person sees" : "people see"} your position as it `
                + "comes.";
        write(summary, isLive() ? words
            : `No connection: this is not known at the moment. At ${moment(at)}: ${words}`);
    }

    return {
        element,
        summarize,
        update(watchers) {
            const people = byPerson(watchers);
            known = people;
            at = serverNow();
            summarize();
            summary.classList.toggle("muted", people.length === 0);
            replace(list, people.map(({ name, reasons }) => h("li", null,
                h("div", { class: "row" },
                    h("strong", { class: "grow break" }, name),
                    h("span", { class: "small muted" }, reasons.join("; "))))));
        },
    };
}

/// One line each, with all reasons: a friend may be in two of my groups as well.
function byPerson(watchers) {
    const people = new Map();
    for (const { user, name, why, groupName, since } of watchers) {
        const person = people.get(user) ?? { name: name ?? user, reasons: [] };
        if (name) person.name = name;
        const reason = why === "friend" ? "as a friend" : `in ${groupName ?? "a group"}`;
        person.reasons.push(`${reason} since ${moment(since)}`);
        people.set(user, person);
    }
    return [...people.values()].sort((a, b) => a.name.localeCompare(b.name));
}

/// - Parameter groups: their ids.
function receipt({ locations, friends, groups: ids = [] }, { groups }) {
    const names = ids.map((group) => groups.get(group)?.name ?? "a group");
    if (friends > 0) names.push(friends === 1 ? "one friend" : `${number(friends)} friends`);
    const deleted = locations === 1
        ? "The position that was known is deleted." : "No position was known.";
    const ended = names.length ? ` Not shown any more to ${together(names)}.` : "";
    return `Location is off. ${deleted}${ended}`;
}

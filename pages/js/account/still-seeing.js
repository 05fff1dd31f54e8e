/// What can still see me after a device was logged out, because it has to be ended separately: links,
/// and programs with a token from me. The holder of the device may have created some.

import { h, keyed, write } from "../dom.js";
import { problemText } from "../form.js";
import { moment } from "../format.js";
import { t } from "../language.js";
import { endObserver } from "../people/observers.js";
import { makeLinkItem } from "../share-links/links.js";
import { nameOf } from "../store.js";

/// Hidden until `load()`, and while there is nothing.
export function makeStillSeeing(app) {
    const links = h("ul", { class: "list", "aria-label": t("Links") });
    const programs = h("ul", { class: "list", "aria-label": t("Programs that see this group") });
    const error = h("p", { class: "error", role: "alert" });
    const words = h("p", null,
        t("These links and programs still show where you are. End those you didn't create."));
    const element = h("div", { class: "stack tight", role: "status", hidden: true },
        words, links, programs, error);
    const showLinks = keyed(links, (link) => makeLinkItem(app, link, load), ({ share }) => share);
    const showPrograms = keyed(programs, (program) => makeProgramItem(app, program, () => {
        ended.add(program.observer);
        load();
    }), ({ observer }) => observer);
    /// Ended here; the groups report it a moment later.
    const ended = new Set();

    async function load() {
        const made = programsOf(app.store.state).filter(({ observer }) => !ended.has(observer));
        showPrograms(made);
        programs.hidden = made.length === 0;
        try {
            const { shares } = await app.call("share.list");
            showLinks(shares);
            links.hidden = shares.length === 0;
            words.hidden = links.hidden && programs.hidden;
            write(error, "");
        } catch (problem) {
            write(error, problemText(problem));
        }
        element.hidden = words.hidden && error.textContent === "";
    }

    return { element, load };
}

function programsOf({ me, groups }) {
    return [...groups.values()].flatMap(({ group, name: groupName, observers }) => observers
        .filter(({ by }) => by === me?.user)
        .map((observer) => ({ ...observer, group, groupName })));
}

function makeProgramItem(app, program, done) {
    const { name, by, groupName, since } = program;
    return {
        element: h("li", { class: "row" },
            h("span", { class: "grow member-body" }, h("strong", { class: "break" }, name),
                h("span", { class: "muted small" },
                    t("a program added by {name} that sees what {group} sees, since {time}",
                        { name: nameOf(by), group: groupName, time: moment(since) }))),
            h("button", {
                type: "button", class: "button quiet danger", "aria-label": t("End {name}", { name }),
                onclick: async () => {
                    if (await endObserver(app, program)) done();
                },
            }, t("End"))),
    };
}

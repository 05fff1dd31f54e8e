/// The ranking of a run's runners.

import { h, keyed, toggle, write } from "../dom.js";
import { distance, number } from "../format.js";
import { t } from "../language.js";
import { otherTimeWord, paceWord, runnerName, runnerWord } from "./words.js";

/// - Parameters:
///   - most: how many are shown.
///   - chosen: called with a bib.
export function makeRanking({ most = 200, chosen = () => {} } = {}) {
    const body = h("tbody");
    const more = h("p", { class: "small muted", hidden: true });
    const element = h("div", null,
        h("table", { class: "ranking" },
            h("caption", { class: "visually-hidden" }, t("Ranking")),
            h("thead", null, h("tr", null,
                h("th", { class: "numbers", scope: "col" }, "#"),
                h("th", { scope: "col" }, t("Runner")),
                h("th", { class: "numbers", scope: "col" }, t("Distance")),
                h("th", { class: "numbers", scope: "col" }, t("Pace or time")))),
            body), more);
    let followed = null;

    const show = keyed(body, ({ bib }) => {
        const cells = [0, 1, 2].map(() => h("td", { class: "numbers" }));
        const name = h("button", { type: "button", onclick: () => chosen(bib) });
        const [time, other] = [h("span"), h("div", { class: "small muted" })];
        cells[2].append(time, other);
        const row = h("tr", null, cells[0], h("td", null, name), cells[1], cells[2]);
        return {
            element: row,
            update(runner) {
                write(cells[0], runner.rank ? String(runner.rank) : "–");
                write(name, runnerName(runner));
                write(cells[1], runner.distance === undefined ? "" : distance(runner.distance));
                write(time, runnerWord(runner) || paceWord(runner.pace));
                write(other, otherTimeWord(runner));
                toggle(row, "aria-current", bib === followed ? "true" : null);
            },
        };
    }, ({ bib }) => bib);

    return {
        element,
        /// - Parameter bib: the followed runner, or null.
        update(standings, bib = null) {
            followed = bib;
            const first = standings.slice(0, most);
            const mine = standings.find((runner) => runner.bib === bib);
            show(mine && !first.includes(mine) ? [...first, mine] : first);
            const rest = standings.length - first.length;
            more.hidden = rest === 0;
            write(more, rest ? t("and {count} more", { count: number(rest) }) : "");
        },
    };
}

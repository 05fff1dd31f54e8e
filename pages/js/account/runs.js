/// The runs in which I take part.

import { h, replace } from "../dom.js";

export function makeRuns(app) {
    const list = h("ul", { class: "list", "aria-label": "My runs" });
    const element = h("section", { class: "card", "aria-labelledby": "runs-title" },
        h("h2", { id: "runs-title" }, "Runs"), list,
        h("p", null, h("a", { href: "/runs.html" }, "Find a run, or organise one")));
    return {
        element,
        async load() {
            try {
                const { runs = [] } = await app.call("consent.list");
                replace(list, runs.map(({ run, name, bib, shownAs, showHeartRate }) =>
                    h("li", null, h("a", { class: "row", href: `/runs.html#${run}` },
                        h("span", { class: "grow break" }, name,
                            h("br"), h("span", { class: "small muted" }, shown(bib, shownAs, showHeartRate)))))));
            } catch {
                replace(list);
            }
        },
    };
}

function shown(bib, name, hasHeartRate) {
    return `Everybody sees you as ${name ? `${name}, number ${bib}` : `number ${bib}`}`
        + `${hasHeartRate ? ", with your heart rate" : ""}, while it is on.`;
}

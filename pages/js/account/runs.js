/// The runs in which I take part.

import { h, replace } from "../dom.js";
import { t } from "../language.js";

export function makeRuns(app) {
    const list = h("ul", { class: "list", "aria-label": t("My runs") });
    const element = h("section", { class: "card", "aria-labelledby": "runs-title" },
        h("h2", { id: "runs-title" }, t("Runs")), list,
        h("p", null, h("a", { href: "/runs.html" }, t("Find a run, or organise one"))));
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
    if (!name) {
        return hasHeartRate
            ? t("During the run, everyone sees you as number {bib}, with your heart rate.", { bib })
            : t("During the run, everyone sees you as number {bib}.", { bib });
    }
    return hasHeartRate
        ? t("During the run, everyone sees you as {name}, number {bib}, with your heart rate.",
            { name, bib })
        : t("During the run, everyone sees you as {name}, number {bib}.", { name, bib });
}

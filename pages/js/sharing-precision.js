/// The precision of my location for a group.

import { h, write } from "./dom.js";
import { problemText } from "./form.js";
import { t } from "./language.js";
import { store } from "./store.js";

const PRECISIONS = [
    ["exact", t("Exactly")], ["street", t("To about 200 m")], ["district", t("To about 2 km")],
    ["city", t("To about 20 km")],
];

/// `groupOf`: returns the group as the store has it.
export function makePrecision(app, groupOf) {
    const error = h("p", { class: "error", role: "alert" });
    let known = "";
    const input = h("select", {
        onchange: async () => {
            write(error, "");
            input.disabled = true;
            try {
                await app.call("sharing.precision", {
                    group: groupOf().group, precision: input.value,
                });
                app.say(t("Saved. In an SOS your exact location is always shown."), "good");
            } catch (problem) {
                write(error, problemText(problem));
                input.value = known;
            }
            input.disabled = false;
        },
    }, PRECISIONS.map(([value, words]) => h("option", { value }, words)));
    return {
        element: h("details", { class: "sharing-precision" },
            h("summary", null, t("How precisely this group sees me")),
            h("div", { class: "field" }, h("label", null, t("Precision"), input)),
            h("p", { class: "small muted" },
                t("A group that sees you only roughly does not see the path of a journey. In an SOS "
                    + "everyone sees exactly where you are.")), error),
        update() {
            const now = groupOf()?.states.get(store.state.me?.user)?.precision ?? "exact";
            if (now !== known) input.value = known = now;
        },
    };
}

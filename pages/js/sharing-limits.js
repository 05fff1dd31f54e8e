/// For how long a group sees where I am, and how exactly.

import { serverNow } from "./clock.js";
import { h, write } from "./dom.js";
import { problemText } from "./form.js";
import { moment } from "./format.js";
import { store } from "./store.js";

const HOUR_MS = 3_600_000;
/// How long sharing lasts, and how that is called; null: no end.
const TIMES = [
    ["stop", "Until I stop", () => null],
    ["hour", "For an hour", () => serverNow() + HOUR_MS],
    ["night", "Until midnight", midnight],
    ["day", "For a day", () => serverNow() + 24 * HOUR_MS],
];
const PRECISIONS = [
    ["exact", "Exactly"], ["street", "To about 200 m"], ["district", "To about 2 km"],
    ["city", "To about 20 km"],
];

/// `groupOf`: returns the group as the store has it.
export function makeSharingLimits(app, groupOf) {
    const error = h("p", { class: "error", role: "alert" });
    const end = h("p", { class: "small muted", role: "status" });
    const time = select("For how long", TIMES);
    const set = h("button", {
        type: "button", class: "button", onclick: () => perform(async () => {
            const [, , until] = TIMES.find(([value]) => value === time.input.value);
            const at = until();
            await app.call("sharing.start", {
                groups: [groupOf().group], ...(at ? { until: new Date(at).toISOString() } : {}),
            });
            app.say(at ? `${groupOf().name} sees where you are until ${moment(at)}.`
                : `${groupOf().name} sees where you are until you stop.`, "good");
        }),
    }, "Share");
    const precision = select("How exactly", PRECISIONS, () => perform(async () => {
        await app.call("sharing.precision", {
            group: groupOf().group, precision: precision.input.value,
        });
        app.say("Saved. In an SOS it is always shown exactly.", "good");
    }));
    const element = h("details", { class: "sharing-limits" },
        h("summary", null, "For how long, and how exactly"), end, time.element,
        h("div", { class: "row" }, set), precision.element,
        h("p", { class: "small muted" },
            "A group that sees you roughly does not see the way of a journey. In an SOS everybody "
            + "sees exactly where you are."), error);
    let known = "";

    async function perform(body) {
        write(error, "");
        set.disabled = true;
        precision.input.disabled = true;
        try {
            await body();
        } catch (problem) {
            write(error, problemText(problem));
            precision.input.value = known;
        } finally {
            set.disabled = false;
            precision.input.disabled = false;
        }
    }

    return {
        element,
        update() {
            const own = groupOf()?.states.get(store.state.me?.user);
            write(end, own?.until ? `Sharing with this group ends ${moment(own.until)}.` : "");
            const now = own?.precision ?? "exact";
            if (now !== known) precision.input.value = known = now;
        },
    };
}

function select(label, choices, onchange) {
    const input = h("select", { onchange }, choices.map(([value, words]) => (
        h("option", { value }, words))));
    return { input, element: h("div", { class: "field" }, h("label", null, label, input)) };
}

/// The next one that is at least an hour away.
function midnight() {
    const day = new Date(serverNow() + HOUR_MS);
    day.setHours(24, 0, 0, 0);
    return day.getTime();
}

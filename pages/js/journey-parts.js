/// Parts shared by the journey and check-in forms: until when, with whom, from this device.

import { serverNow } from "./clock.js";
import { h, write } from "./dom.js";
import { makeField, sentence } from "./form.js";
import { duration, fieldTime } from "./format.js";
import { geolocation } from "./geolocation.js";
import { t } from "./language.js";

export const MINUTE_MS = 60_000;

let count = 0;

/// A choice of times: in some minutes, one press each, or at a given time.
///
/// - Parameters:
///   - minutes: those offered.
///   - usual: the one preselected.
/// - Returns: `{element,field,eta()}`; `eta()` is NaN if none is given.
export function makeWhen({ legend, label, minutes, usual }) {
    const name = `until-${(count += 1)}`;
    const choice = (value, words) => h("label", { class: "chip" },
        h("input", {
            type: "radio", name, value, checked: value === String(usual), onchange: () => show(),
        }),
        h("span", null, words));
    const chips = h("div", { class: "chips" },
        minutes.map((each) => choice(String(each), duration(each * MINUTE_MS))),
        choice("at", t("At a time…")));
    const field = makeField({ name: "eta", label, type: "datetime-local" });
    const chosen = () => chips.querySelector("input:checked").value;
    function show() {
        field.element.hidden = chosen() !== "at";
        field.input.value ||= fieldTime(Date.now() + 2 * usual * MINUTE_MS);
    }
    show();
    return {
        field: {
            name: field.name,
            input: field.input,
            setError: field.setError,
            refuse(reason) {
                field.element.hidden = false;
                field.refuse(reason);
            },
        },
        element: h("fieldset", { class: "stack tight" }, h("legend", null, legend), chips,
            field.element),
        eta() {
            if (chosen() !== "at") return serverNow() + Number(chosen()) * MINUTE_MS;
            return field.value ? new Date(field.value).getTime() : NaN;
        },
    };
}

/// The groups it is shown to; the current group is preselected.
export function makeGroups(app) {
    const { groups, group: current } = app.store.state;
    const boxes = [...groups.values()].map(({ group, name }) => {
        const input = h("input", { type: "checkbox", value: group, checked: group === current });
        return { input, label: h("label", { class: "check" }, input, h("span", null, name)) };
    });
    const error = h("p", { class: "error", id: `shown-to-${(count += 1)}` });
    const element = h("fieldset", { "aria-describedby": error.id },
        h("legend", null, t("Shown to")), boxes.map((box) => box.label), error);
    return {
        element,
        field: {
            name: "groups", setError: (text) => write(error, text),
            refuse: (reason) => write(error, sentence(reason)),
            input: boxes[0]?.input ?? element,
        },
        chosen: () => boxes.filter((box) => box.input.checked).map((box) => box.input.value),
    };
}

/// Whether this device starts sending positions; not asked if it already does.
export function makeSends(app) {
    const field = makeField({
        name: "sends", type: "checkbox", checked: true,
        label: t("Send my position from this device until I turn it off"),
    });
    field.element.hidden = geolocation.isSending || app.store.state.me?.demo === true;
    return {
        element: field.element,
        begin() {
            if (field.value && !geolocation.isSending) geolocation.start();
        },
    };
}

/// Problems with the time and the groups: `[{field,reason}]`.
export function problemsOf(eta, groups) {
    const found = [];
    if (!(eta > serverNow())) found.push({ field: "eta", reason: t("Choose a time in the future") });
    if (groups.length === 0) found.push({ field: "groups", reason: t("Choose at least one") });
    return found;
}

/// A form whose `start` throws the problems to show at its fields.
export function makeStartForm({ label, fields, error, start, submit, show }, ...content) {
    return h("form", {
        class: "stack", novalidate: true, "aria-label": label,
        onsubmit: async (event) => {
            event.preventDefault();
            if (submit.disabled) return;
            submit.disabled = true;
            write(error, "");
            for (const field of fields) field.setError("");
            try {
                await start();
            } catch (problem) {
                show(problem, fields, error);
            }
            submit.disabled = false;
        },
    }, h("h2", null, label), content);
}

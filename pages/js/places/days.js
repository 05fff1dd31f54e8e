/// A choice of weekdays.

import { h, write } from "../dom.js";
import { sentence } from "../form.js";
import { shortWeekday, WEEKDAYS } from "./repetition.js";

let count = 0;

/// A field of a form.
///
/// - Parameter days: the chosen days: `MO`, ….
export function makeDays(name, label, days) {
    const error = h("p", { class: "error", id: `days-${(count += 1)}-error` });
    const boxes = WEEKDAYS.map(([code, word]) => {
        const input = h("input", {
            type: "checkbox", checked: days.includes(code), onchange: () => write(error, ""),
        });
        return { code, input, element: h("label", { class: "day-box" }, input,
            h("span", { "aria-hidden": "true" }, shortWeekday(code)),
            h("span", { class: "visually-hidden" }, word)) };
    });
    const setError = (text) => write(error, text);
    return {
        name,
        element: h("fieldset", { class: "field", "aria-describedby": error.id },
            h("legend", { class: "label" }, label),
            h("div", { class: "days" }, boxes.map((box) => box.element)), error),
        input: boxes[0].input,
        get value() { return boxes.filter(({ input }) => input.checked).map(({ code }) => code); },
        choose(codes) {
            for (const { code, input } of boxes) input.checked = codes.includes(code);
        },
        setError,
        refuse: (reason) => setError(sentence(reason)),
    };
}

/// A question and its action: a refusal is shown in the dialog, which stays open.

import { openDialog } from "../dialog.js";
import { h, write } from "../dom.js";
import { problemText, showProblem } from "../form.js";

/// - Parameters:
///   - text: paragraphs.
///   - work: with the values of the fields, by name; a ``Problem`` that it throws is shown.
/// - Returns: the result of `work`; undefined if the operator cancelled.
export function askAndDo(app, { title, text = [], fields = [], button, danger = false, work }) {
    return new Promise((resolve) => {
        let isWorking = false;
        let isClosed = false;
        const message = h("p", { class: "error", role: "alert" });
        const action = h("button", { type: "submit", class: `button ${danger ? "danger" : "primary"}` }, button);
        const form = h("form", {
            class: "form", novalidate: true,
            onsubmit: async (event) => {
                event.preventDefault();
                if (isWorking) return;
                for (const field of fields) field.setError("");
                write(message, "");
                isWorking = action.disabled = true;
                try {
                    const values = Object.fromEntries(fields.map((each) => [each.name, each.value]));
                    resolve(await work(values));
                    close();
                } catch (problem) {
                    if (isClosed) app.say(problemText(problem), "error");
                    showProblem(problem, fields, message);
                } finally {
                    isWorking = action.disabled = false;
                    if (isClosed) resolve();
                }
            },
        }, text.map((each) => h("p", null, each)), fields.map(({ element }) => element), message,
        h("div", { class: "row end" },
            h("button", { type: "button", class: "button", onclick: () => close() }, "Cancel"), action));
        const close = openDialog(title, form, {
            isFirm: true,
            closed() {
                isClosed = true;
                if (!isWorking) resolve();
            },
        });
    });
}

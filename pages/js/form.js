/// Form fields with label, hint and error, and forms that show all problems at once.

import { h, toggle, write } from "./dom.js";
import { duration } from "./format.js";
import { language, said, t } from "./language.js";

let count = 0;

/// `options`: `name`, `label`, `type`, `hint`, `refusal` (replaces the server's reason), and any
/// attribute of the input.
///
/// Returns `{element,input,value,setError(text)}`.
export function makeField({ name, label, hint, refusal, type = "text", ...attributes }) {
    const id = `field-${name}-${(count += 1)}`;
    const error = h("p", { class: "error", id: `${id}-error` });
    const note = hint ? h("p", { class: "hint", id: `${id}-hint` }, hint) : null;
    const describedBy = [note?.id, error.id].filter(Boolean).join(" ");
    const input = h("input", { id, name, type, "aria-describedby": describedBy, ...attributes });
    const isCheck = type === "checkbox";
    const element = isCheck
        ? h("div", { class: "field" },
            h("label", { class: "check" }, input, h("span", null, label)), note, error)
        : h("div", { class: "field" }, h("label", { for: id }, label), note, input, error);
    input.addEventListener("input", () => setError(""));
    function setError(text) {
        write(error, text);
        toggle(input, "aria-invalid", text ? "true" : null);
    }
    return {
        name,
        element,
        input,
        get value() { return isCheck ? input.checked : input.value; },
        setError,
        refuse: (reason) => setError(refusal?.(reason) ?? sentence(said(reason))),
    };
}

/// A field with choices: `[value, words]`.
export function makeChoice(name, label, choices) {
    const id = `field-${name}-${(count += 1)}`;
    const error = h("p", { class: "error", id: `${id}-error` });
    const input = h("select", { id, name, "aria-describedby": error.id },
        choices.map(([value, words]) => h("option", { value }, words)));
    const setError = (text) => {
        write(error, text);
        toggle(input, "aria-invalid", text ? "true" : null);
    };
    input.addEventListener("input", () => setError(""));
    return {
        name,
        element: h("div", { class: "field" }, h("label", { for: id }, label), input, error),
        input,
        get value() { return input.value; },
        setError,
        refuse: (reason) => setError(sentence(said(reason))),
    };
}

/// A form of such fields.
///
/// - `submit(values)` does the work; if it throws, each error is shown at its field.
export function makeForm({ fields, button, submit, after }) {
    const message = h("p", { class: "error", role: "alert" });
    const action = h("button", { type: "submit", class: "button primary wide" }, button);
    const element = h("form", {
        class: "form", novalidate: true,
        onsubmit: async (event) => {
            event.preventDefault();
            if (action.disabled) return;
            for (const field of fields) field.setError("");
            write(message, "");
            action.disabled = true;
            try {
                await submit(Object.fromEntries(fields.map((field) => [field.name, field.value])));
            } catch (problem) {
                showProblem(problem, fields, message);
            } finally {
                action.disabled = false;
            }
        },
    }, fields.map((field) => field.element), message, action, after);
    return element;
}

/// Shows each error at its field, others in `message`, and moves the focus to the first.
export function showProblem(problem, fields, message) {
    const rest = [];
    let first = null;
    for (const { field: name, reason } of problem.errors ?? []) {
        const field = fields.find((each) => each.name === name);
        if (field) {
            field.refuse(reason);
            first ??= field;
        } else {
            rest.push(`${name}: ${said(reason)}`);
        }
    }
    if (!first && rest.length === 0) rest.push(problemText(problem));
    write(message, rest.map(sentence).join(" "));
    first?.input.focus();
}

/// A problem as a sentence, with how long to wait, if that is known.
export function problemText(problem) {
    const text = sentence(said(problem.detail, problem.title, problem.message) ?? t("That did not work."));
    if (!problem.retryAfter) return text;
    return `${text} ${t("Try again in {duration}.", { duration: duration(problem.retryAfter * 1000) })}`;
}

export function sentence(text) {
    const words = String(text ?? "").trim();
    if (!words) return "";
    const begun = words[0].toLocaleUpperCase(language) + words.slice(1);
    return /[.!?…؟]$/.test(begun) ? begun : `${begun}.`;
}

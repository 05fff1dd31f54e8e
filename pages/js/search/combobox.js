/// A field with a list of matches (the ARIA pattern "combobox with a list popup"): focus stays in
/// the field, arrows move through the list, Enter chooses.

import { h, replace, toggle } from "../dom.js";

let count = 0;

/// - Parameters:
///   - typed: called with the field's text.
///   - chosen: called with a result.
///   - row: makes the element for a result.
/// - Returns: `{field,list,show(groups),focus()}`; `groups`: `[{title,results}]`.
export function makeCombobox({ label, placeholder, typed, chosen, row }) {
    const id = `combobox-${(count += 1)}`;
    const list = h("div", { id, role: "listbox", "aria-label": label, class: "found-list", hidden: true });
    const input = h("input", {
        id: `${id}-field`, type: "text", class: "input", role: "combobox", "aria-label": label,
        "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list",
        autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "search",
        maxlength: 120, placeholder, dir: "auto",
    });
    let options = [];
    let active = -1;

    function move(to) {
        active = options.length === 0 ? -1 : (to + options.length) % options.length;
        options.forEach(({ element }, index) => {
            toggle(element, "aria-selected", String(index === active));
        });
        const current = options[active]?.element;
        toggle(input, "aria-activedescendant", current?.id ?? null);
        current?.scrollIntoView({ block: "nearest" });
    }

    input.addEventListener("input", () => typed(input.value.trim()));
    input.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown") move(active + 1);
        else if (event.key === "ArrowUp") move(active < 0 ? -1 : active - 1);
        else if (event.key === "Enter" && options.length > 0) chosen(options[Math.max(0, active)].result);
        else return;
        event.preventDefault();
    });

    return {
        field: input,
        list,
        /// The active option stays active if it is still listed.
        show(groups) {
            const before = options[active]?.result.key;
            options = [];
            replace(list, groups.filter(({ results }) => results.length > 0).map(({ title, results }, number) => {
                const titleID = `${id}-title-${number}`;
                return h("div", { role: "group", "aria-labelledby": titleID },
                    h("div", { id: titleID, class: "found-title small muted", role: "presentation" }, title),
                    results.map((result) => {
                        const element = h("div", {
                            id: `${id}-${options.length}`, role: "option", class: "found",
                            "aria-selected": "false", onclick: () => chosen(result),
                        }, row(result));
                        options.push({ element, result });
                        return element;
                    }));
            }));
            list.hidden = options.length === 0;
            toggle(input, "aria-expanded", String(!list.hidden));
            active = -1;
            const again = options.findIndex(({ result }) => result.key === before);
            if (before && again >= 0) move(again);
            else toggle(input, "aria-activedescendant", null);
        },
        focus: () => input.focus(),
    };
}

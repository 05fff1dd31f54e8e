/// A button that opens a form below itself.

import { h, replace, toggle } from "../dom.js";
import { icon } from "../icons.js";

/// - Parameters:
///   - openings: contains the form while it is open.
///   - make: makes the form, `{element,focus(),begin?(),end?()}`, from `{saved,cancelled}`.
///   - changed: called with the created object, if the form returns one.
export function makeOpening(openings, { button, icon: sign, title, make, changed }) {
    const place = h("div");
    let form = null;
    const opener = h("button", {
        type: "button", class: "button", "aria-expanded": "false",
        onclick: () => (form ? close() : open()),
    }, icon(sign, 20), button);

    function open() {
        form = make({
            saved: (made) => {
                close();
                changed(made);
            },
            cancelled: close,
        });
        openings.add(form);
        toggle(opener, "aria-expanded", "true");
        replace(place, h("section", { class: "inner", "aria-label": title },
            h("h3", null, title), form.element));
        place.scrollIntoView({ block: "nearest" });
        form.focus();
    }

    function close() {
        form?.end?.();
        openings.delete(form);
        form = null;
        replace(place);
        toggle(opener, "aria-expanded", "false");
        opener.focus();
    }

    return { element: h("div", { class: "stack" }, h("div", { class: "row" }, opener), place), opener };
}

/// Ends all sharing at once and, if the person wants, the storing of positions as well.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { makeField } from "../form.js";
import { number, together } from "../format.js";

/// What happens to positions that nobody is shown.
export function storingWords(isStoring) {
    return isStoring ? "What your devices send is kept as your own history."
        : "What your devices send is not kept. That ends when you share with somebody, set out on "
            + "a journey or call for help.";
}

/// Asks, then turns it off.
///
/// - Parameter isStoring: whether new positions are stored now.
/// - Returns: what was done, in words; null if the person cancelled.
export async function turnLocationOff(app, isStoring) {
    const wish = await askHow(isStoring === false);
    if (!wish) return null;
    return receipt(await app.call("location.off", wish), app.store.state);
}

/// - Returns: what to request from the service, or null.
function askHow(isNothingKept) {
    return new Promise((resolve) => {
        let wish = null;
        const keepNothing = makeField({
            name: "keepNothing", label: "Keep nothing that my devices send afterwards",
            type: "checkbox", checked: isNothingKept,
            hint: "Otherwise it is kept as your own history, shown to nobody. Either way what was "
                + "kept before stays, as long as the server keeps history or until you delete "
                + "your account.",
        });
        const close = openDialog("Turn your location off?", [
            h("p", null, "All sharing ends, with friends, groups and services, and the last "
                + "position that the server knows is deleted. On a journey or in an SOS stop that first: "
                + "people rely on it."),
            keepNothing.element,
            h("div", { class: "row end" },
                h("button", { type: "button", class: "button", onclick: () => close() }, "Cancel"),
                h("button", {
                    type: "button", class: "button danger",
                    onclick: () => {
                        const { checked } = keepNothing.input;
                        wish = checked === isNothingKept ? {} : { store: !checked };
                        close();
                    },
                }, "Location off")),
        ], { closed: () => resolve(wish) });
    });
}

function receipt({ deleted, kept, storing }, { groups }) {
    const names = deleted.groups.map((group) => groups.get(group)?.name ?? "a group");
    const { friends } = deleted;
    if (friends > 0) names.push(friends === 1 ? "one friend" : `${number(friends)} friends`);
    const { services = 0 } = deleted;
    if (services > 0) names.push(services === 1 ? "one service" : `${number(services)} services`);
    const parts = ["Location is off.", deleted.locations === 1
        ? "The position that was known is deleted." : "No position was known."];
    if (names.length > 0) parts.push(`Not shown any more to ${together(names)}.`);
    if (!storing) {
        parts.push("What your devices send from now on is not kept.");
        if (kept.fixes > 0) {
            parts.push(kept.fixes === 1 ? "One position from before is still in your own history."
                : `${number(kept.fixes)} positions from before are still in your own history.`);
        }
    }
    return parts.join(" ");
}

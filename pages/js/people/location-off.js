/// Ends all sharing immediately and, on request, the storing of positions.

import { openDialog } from "../dialog.js";
import { h } from "../dom.js";
import { makeField } from "../form.js";
import { together } from "../format.js";
import { geolocation } from "../geolocation.js";
import { t, tn } from "../language.js";

/// What happens to positions that are shown to no one.
export function storingWords(isStoring) {
    return isStoring ? t("Positions from your devices are kept as your own history.")
        : t("Positions from your devices are not kept. That ends when you share with someone, start a "
            + "journey or call for help.");
}

/// Asks, then turns it off.
///
/// - Parameter isStoring: whether new positions are stored now.
/// - Returns: what was done, in words; null if the person cancelled.
export async function turnLocationOff(app, isStoring) {
    const wish = await askHow(isStoring === false);
    return wish ? locationOff(app, wish) : null;
}

/// Turns it off, and stops this device from sending.
///
/// - Returns: what was done, in words.
export async function locationOff(app, wish) {
    const done = await app.call("location.off", wish);
    const wasSending = geolocation.isSending;
    geolocation.stop();
    return receipt(done, app.store.state, wasSending);
}

/// - Returns: the parameters of the request, or null.
function askHow(isNothingKept) {
    return new Promise((resolve) => {
        let wish = null;
        const keepNothing = makeField({
            name: "keepNothing", label: t("Keep no positions from my devices afterwards"),
            type: "checkbox", checked: isNothingKept,
            hint: t("Otherwise they are kept as your own history, shown to no one. Either way, earlier "
                + "history stays as long as the server keeps history or until you delete your account."),
        });
        const close = openDialog(t("Turn your location off?"), [
            h("p", null, t("All sharing with friends, groups and services ends, and the last position "
                + "known to the server is deleted. This device stops sending. On a journey or in an SOS, "
                + "end that first: people rely on it.")),
            keepNothing.element,
            h("div", { class: "row end" },
                h("button", { type: "button", class: "button", onclick: () => close() },
                    t("Cancel")),
                h("button", {
                    type: "button", class: "button danger",
                    onclick: () => {
                        const { checked } = keepNothing.input;
                        wish = checked === isNothingKept ? {} : { store: !checked };
                        close();
                    },
                }, t("Location off"))),
        ], { closed: () => resolve(wish) });
    });
}

function receipt({ deleted, kept, storing }, { groups }, wasSending) {
    const names = deleted.groups.map((group) => groups.get(group)?.name ?? t("a group"));
    const { friends, services = 0 } = deleted;
    if (friends > 0) names.push(tn(friends, "one friend", "{count} friends"));
    if (services > 0) names.push(tn(services, "one service", "{count} services"));
    const parts = [t("Location is off."), deleted.locations === 1
        ? t("The known position is deleted.") : t("No position was known.")];
    if (wasSending) parts.push(t("This device no longer sends anything."));
    if (names.length > 0) parts.push(t("No longer visible to {names}.", { names: together(names) }));
    if (!storing) {
        parts.push(t("Positions that your devices send from now on are not kept."));
        if (kept.fixes > 0) {
            parts.push(tn(kept.fixes, "One earlier position is still in your own history.",
                "{count} earlier positions are still in your own history."));
        }
    }
    return parts.join(" ");
}

/// Shows that the browser denies the device's location, and what to do about it.

import { h } from "./dom.js";
import { geolocation } from "./geolocation.js";
import { t } from "./language.js";

export function isDenied() {
    return geolocation.state === "refused" || geolocation.permission === "denied";
}

export function makePermissionNote() {
    const title = h("p", { class: "small warning-text" },
        t("This site isn't allowed to use your location."));
    const element = h("div", { class: "permission", role: "status", hidden: true }, title,
        h("details", { class: "small" }, h("summary", null, t("How to allow it")),
            h("p", null, t("Press the icon next to the page's address and allow location there. It takes "
                + "effect immediately.")),
            h("p", null, t("If there is nothing to allow there, the phone itself blocks it: allow "
                + "location for your browser in the phone's settings."))));
    return {
        element,
        /// `isSaid`: the text above already says so.
        update(isShown, isSaid) {
            element.hidden = !isShown;
            title.hidden = isSaid === true;
        },
    };
}

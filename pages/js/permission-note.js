/// Whether the browser refuses to say where this device is, and what to do about it.

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
            h("p", null, t("Press the sign beside the page's address, and allow the location "
                + "there. It works at once.")),
            h("p", null, t("If there is nothing to allow, the phone itself refuses: allow the "
                + "location for your browser in the phone's settings."))));
    return {
        element,
        /// `isSaid`: the words above say it already.
        update(isShown, isSaid) {
            element.hidden = !isShown;
            title.hidden = isSaid === true;
        },
    };
}

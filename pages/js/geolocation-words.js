/// Why there is no position, and what to do about it.

import { t } from "./language.js";

/// - Parameter code: as in `GeolocationPositionError`; 0: the browser offers no positions here.
export function problemOf({ code }) {
    if (code === 1) {
        return t("This site isn't allowed to use your location. Allow it in the browser's settings "
            + "for this site.");
    }
    if (code === 0) return t("This page needs HTTPS to use your location.");
    return t("Your device couldn't find its position. It works best under the open sky.");
}

/// Lets the user choose a point, by a tap or by moving the map under the cross; or shows a point to
/// confirm or correct.

import { h } from "../dom.js";
import { t } from "../language.js";
import { store } from "../store.js";

/// At this zoom or less a street cannot be hit, so the map starts at the person's position instead.
const COARSE_ZOOM = 9;
const FINE_ZOOM = 14;

export function makeChooser(map, area) {
    let finish = null;
    /// - `at`: `{latitude,longitude}`, the point to confirm; it is returned if the map is not
    ///   moved.
    /// - `yes`: the label of the confirming button.
    return function choosePoint(prompt, { at = null, yes = t("Use the point under the cross") } = {}) {
        finish?.(null);
        return new Promise((resolve) => {
            const shell = area.closest(".shell");
            const before = document.activeElement;
            const here = h("button", {
                type: "button", class: "button primary",
                onclick: () => finish(isMoved ? map.getCenter() : at),
            }, yes);
            const box = h("div", { class: "chooser card", role: "group", "aria-label": prompt },
                h("p", null, prompt),
                h("div", { class: "row" }, here,
                    h("button", { type: "button", class: "button", onclick: () => finish(null) },
                        t("Cancel"))));
            const cross = h("div", { class: "cross", "aria-hidden": "true" });
            const tapped = (event) => finish(event.latlng);
            const escaped = (event) => event.key === "Escape" && finish(null);
            let isMoved = at === null;
            const moved = () => { isMoved = true; };
            finish = (point) => {
                finish = null;
                map.off("click", tapped);
                map.off("dragstart", moved);
                map.off("keydown", moved);
                document.removeEventListener("keydown", escaped);
                box.remove();
                cross.remove();
                shell?.classList.remove("choosing");
                if (before?.isConnected) before.focus({ preventScroll: true });
                const latlng = point?.wrap?.();
                resolve(latlng ? { latitude: latlng.lat, longitude: latlng.lng } : point);
            };
            shell?.classList.add("choosing");
            // Nothing should cover the place.
            document.getElementById("toasts")?.replaceChildren();
            area.append(cross, box);
            map.invalidateSize({ animate: false });
            const { position } = store.state;
            const middle = at ?? (map.getZoom() < COARSE_ZOOM ? position : null);
            if (middle) {
                map.setView([middle.latitude, middle.longitude], FINE_ZOOM, { animate: false });
            }
            map.on("click", tapped);
            map.on("dragstart", moved);
            map.on("keydown", moved);
            document.addEventListener("keydown", escaped);
            here.focus({ preventScroll: true });
        });
    };
}

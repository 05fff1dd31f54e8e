/// Where this device is, by itself: a dot, which is "You" unless the own face is on the map.

import * as L from "/leaflet/leaflet.esm.js";
import { h } from "../dom.js";
import { t } from "../language.js";

export function makeOwnPlace(layer) {
    const dot = L.circleMarker([0, 0], { radius: 8, className: "me-dot", interactive: false });
    const circle = L.circle([0, 0], { className: "me-circle", interactive: false, radius: 1 });
    const name = L.marker([0, 0], {
        icon: L.divIcon({
            className: "person-icon", iconSize: [0, 0],
            html: h("span", { class: "tag own-tag", "aria-hidden": "true" }, t("You")),
        }),
        keyboard: false,
        interactive: false,
    });
    let shown = null;
    let isNamed = false;
    return {
        /// - Parameter hasFace: whether the own face is on the map.
        update(position, hasFace) {
            if (position === shown && isNamed === !hasFace) return;
            shown = position;
            isNamed = !hasFace;
            if (!position) {
                for (const part of [dot, circle, name]) part.removeFrom(layer);
                return;
            }
            const at = [position.latitude, position.longitude];
            circle.setLatLng(at).setRadius(position.accuracy ?? 1).addTo(layer);
            dot.setLatLng(at).addTo(layer);
            if (isNamed) name.setLatLng(at).addTo(layer);
            else name.removeFrom(layer);
        },
    };
}

/// This device's own position: a dot, labelled "You" unless the own face is on the map.

import * as L from "/leaflet/leaflet.esm.js";
import { serverNow } from "../clock.js";
import { h, write } from "../dom.js";
import { age } from "../format.js";
import { t } from "../language.js";
import { circleOf } from "./corners.js";
import { around } from "./names.js";

/// Half the sizes of the dot and its name, about.
const DOT = 11;
const NAME = { wide: 24, high: 10 };
/// A position this old is shown with its age.
const OLD_MS = 5 * 60_000;

export function makeOwnPlace(layer) {
    const dot = L.circleMarker([0, 0], { radius: 8, className: "me-dot", interactive: false });
    const circle = L.circle([0, 0], { className: "me-circle", interactive: false, radius: 1 });
    const tag = h("span", { class: "tag own-tag", "aria-hidden": "true" });
    const name = L.marker([0, 0], {
        icon: L.divIcon({ className: "person-icon", iconSize: [0, 0], html: tag }),
        keyboard: false,
        interactive: false,
    });
    let shown = null;
    let isNamed = false;
    return {
        /// The boxes that other names must not cover, in the map's layers: the dot and its name.
        boxes(map) {
            if (!shown) return [];
            const { x, y } = map.latLngToLayerPoint(dot.getLatLng());
            return [around(x, y, DOT, DOT), ...(isNamed ? [around(x, y + 22, NAME.wide, NAME.high)] : [])];
        },

        /// - Parameter hasFace: whether the own face is on the map.
        update(position, hasFace) {
            const isOld = position && serverNow() - Date.parse(position.timestamp) >= OLD_MS;
            write(tag, isOld ? t("You, {age}", { age: age(position.timestamp) }) : t("You"));
            if (position === shown && isNamed === !hasFace) return;
            shown = position;
            isNamed = !hasFace;
            if (!position) {
                for (const part of [dot, circle, name]) part.removeFrom(layer);
                return;
            }
            const at = [position.latitude, position.longitude];
            circle.setLatLng(at).setRadius(circleOf(position)).addTo(layer);
            dot.setLatLng(at).addTo(layer);
            if (isNamed) name.setLatLng(at).addTo(layer);
            else name.removeFrom(layer);
        },
    };
}

/// Moves markers smoothly to their new positions. The browser does it by a transition (`.gliding` in
/// css/people.css) that needs no script and no new picture of the page for each frame.

import { reducesMotion } from "./base.js";

const LONGEST_JUMP_PX = 600;
/// Until the markers' places after a zoom have been drawn.
const PLACED_MS = 100;

/// Call it before the map has the markers, so that it receives a new view before they do.
export function makeGlider(map) {
    const element = map.getContainer();
    let timer = null;
    if (!reducesMotion()) element.classList.add("gliding");

    /// A new view gives all markers new places in its pane: they must move there immediately.
    function pause() {
        clearTimeout(timer);
        timer = null;
        element.classList.remove("gliding");
    }

    function goOn() {
        clearTimeout(timer);
        timer = setTimeout(() => {
            element.classList.toggle("gliding", !reducesMotion());
        }, PLACED_MS);
    }

    function reset() {
        pause();
        goOn();
    }

    map.on("zoomstart", pause);
    map.on("zoomend", goOn);
    map.on("viewreset", reset);

    return {
        /// - Returns: whether it was somewhere else.
        move(marker, to) {
            const from = marker.getLatLng();
            if (from.lat === to[0] && from.lng === to[1]) return false;
            const way = map.latLngToContainerPoint(from)
                .distanceTo(map.latLngToContainerPoint(to));
            marker.getElement()?.classList.toggle("jumping", way > LONGEST_JUMP_PX);
            marker.setLatLng(to);
            return true;
        },

        remove() {
            clearTimeout(timer);
            map.off("zoomstart", pause).off("zoomend", goOn).off("viewreset", reset);
        },
    };
}

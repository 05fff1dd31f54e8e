/// Fits the map to people, so that they are seen whole: clear of what covers the map, and of its
/// controls.

import * as L from "/leaflet/leaflet.esm.js";
import { toggle } from "../dom.js";
import { store } from "../store.js";
import { CALL_REACH, FACE_REACH, buttonBoxes, controlsOf, freeBox } from "./free-box.js";
import { DETAIL_ENDS } from "./world.js";

const CLOSE_ZOOM = 16;
/// Of a map with less height than this, controls would leave nothing.
const LOW = 180;
const LOWEST = 110;
/// In pixels: less room than this in either direction, and people would be heaped.
const APART = 64;

/// - Parameter insets: gives how many pixels of the map's edges are covered, `{left,bottom}`.
export function makeFitting(map, insets) {
    const area = map.getContainer().parentElement;
    const free = (reach) => freeBox(map.getSize(), insets(), controlsOf(area), reach);

    /// Says in the styles how much is seen of the map.
    function layOut() {
        const height = map.getSize().y - insets().bottom;
        toggle(area, "data-room", height < LOWEST ? "lowest" : height < LOW ? "low" : null);
    }

    map.on("resize", layOut);
    return {
        layOut,

        /// - Parameters:
        ///   - reach: how far what is at a point reaches around it.
        ///   - closest: the largest zoom.
        fit(points, { reach = FACE_REACH, closest = CLOSE_ZOOM, animate } = {}) {
            const box = free(reach);
            const { x, y } = map.getSize();
            map.fitBounds(L.latLngBounds(points), {
                paddingTopLeft: [box.left, box.top],
                paddingBottomRight: [x - box.right, y - box.bottom],
                // Before the service has said what map there is, there is the world only.
                maxZoom: store.state.config ? closest : Math.min(closest, DETAIL_ENDS),
                animate,
            });
        },

        /// Whether a call for help at that place is seen whole.
        isIn({ latitude, longitude }) {
            const { left, top, right, bottom } = free(CALL_REACH);
            const { x, y } = map.latLngToContainerPoint([latitude, longitude]);
            // To a pixel: the fit rounds.
            return x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
        },

        /// Whether several can be shown apart.
        hasRoom() {
            const { left, top, right, bottom } = free(CALL_REACH);
            return right - left >= APART && bottom - top >= APART;
        },

        /// Where the buttons are now, in the map's layers.
        underButtons() {
            return buttonBoxes(area).map((box) => {
                const [{ x: left, y: top }, { x: right, y: bottom }] = [
                    [box.left, box.top], [box.right, box.bottom],
                ].map((corner) => map.containerPointToLayerPoint(corner));
                return { left, top, right, bottom };
            });
        },

        remove: () => map.off("resize", layOut),
    };
}

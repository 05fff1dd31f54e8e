/// Fits the map to people so that they are fully visible: clear of everything that covers the map,
/// and of its controls.

import * as L from "/leaflet/leaflet.esm.js";
import { toggle } from "../dom.js";
import { store } from "../store.js";
import { cornersOf } from "./corners.js";
import { CALL_REACH, FACE_REACH, NEAR_REACH, buttonBoxes, controlsOf, freeBox } from "./free-box.js";
import { closestLook } from "./together.js";
import { DETAIL_ENDS } from "./world.js";

const CLOSE_ZOOM = 16;
const CALL_ZOOM = 15;
/// Below this height, controls would leave no room on the map.
const LOW = 180;
const LOWEST = 110;
/// In pixels: a face nearer to a call for help than this would overlap it.
const APART = 48;
/// In pixels, beyond any screen.
const FAR = 100_000;

/// - Parameter insets: returns how many pixels of the map's edges are covered, `{left,bottom}`.
export function makeFitting(map, insets) {
    const area = map.getContainer().parentElement;
    const free = (reach) => freeBox(map.getSize(), insets(), controlsOf(area), reach);
    // Before the service has sent the map's configuration, there is only the world.
    const atMost = (zoom) => (store.state.config ? zoom : Math.min(zoom, DETAIL_ENDS));

    /// Sets in the styles how much of the map is visible.
    function layOut() {
        const height = map.getSize().y - insets().bottom;
        toggle(area, "data-room", height < LOWEST ? "lowest" : height < LOW ? "low" : null);
    }

    /// The corners of the circles around them, all on the same side of ±180°.
    function itemsOf(fixes, reach) {
        const box = free(reach);
        return fixes.flatMap(cornersOf).map((at) => ({ at, box }));
    }

    function look(items) {
        const first = items[0].at.lng;
        const project = ({ lat, lng }, zoom) =>
            map.project([lat, lng + 360 * Math.round((first - lng) / 360)], zoom);
        return closestLook(items, project, {
            closest: atMost(CALL_ZOOM), farthest: map.getMinZoom(), step: map.options.zoomSnap,
        });
    }

    /// To a pixel: the map rounds.
    const isIn = (items) => ({ x, y }, n) => {
        const { left, top, right, bottom } = items[n].box;
        return x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1;
    };

    map.on("resize", layOut);
    return {
        layOut,

        /// - Parameter closest: the largest zoom.
        fit(points, { closest = CLOSE_ZOOM, animate } = {}) {
            const box = free(FACE_REACH);
            const { x, y } = map.getSize();
            map.fitBounds(L.latLngBounds(points), {
                paddingTopLeft: [box.left, box.top],
                paddingBottomRight: [x - box.right, y - box.bottom],
                maxZoom: atMost(closest),
                animate,
            });
        },

        /// How to show calls for help fully, with people near them if there is room to show them
        /// apart: for `isShown` and `show`.
        planOf(calls, near) {
            const items = itemsOf(calls, CALL_REACH);
            const alone = { items, ...look(items) };
            if (near.length === 0) return alone;
            const all = [...items, ...itemsOf(near, NEAR_REACH)];
            const together = { items: all, ...look(all) };
            const [called, others] = [
                together.points.slice(0, items.length), together.points.slice(items.length),
            ];
            const isApart = others.every((a) =>
                called.every((b) => Math.hypot(a.x - b.x, a.y - b.y) >= APART));
            return isApart && together.points.every(isIn(all)) ? together : alone;
        },

        isShown: ({ items }) => items.map(({ at }) => map.latLngToContainerPoint(at)).every(isIn(items)),

        show({ zoom, shift }) {
            const middle = map.getSize().divideBy(2).subtract(L.point(shift));
            map.setView(map.unproject(middle, zoom), zoom, { animate: false });
        },

        /// The areas where names are hidden, in the map's layers: under the buttons, and outside
        /// the visible map.
        hiding() {
            const { x, y } = map.getSize();
            const { left, bottom } = insets();
            const all = { left: -FAR, top: -FAR, right: FAR, bottom: FAR };
            const outside = [
                { ...all, right: left }, { ...all, left: x }, { ...all, bottom: 0 },
                { ...all, top: y - bottom },
            ];
            return [...buttonBoxes(area), ...outside].map((box) => {
                const from = map.containerPointToLayerPoint([box.left, box.top]);
                const to = map.containerPointToLayerPoint([box.right, box.bottom]);
                return { left: from.x, top: from.y, right: to.x, bottom: to.y };
            });
        },

        remove: () => map.off("resize", layOut),
    };
}

/// Moves markers smoothly from their current to their new positions, all in one loop.

import { reducesMotion } from "./base.js";

const LONGEST_JUMP_PX = 600;

/// - Parameter duration: in ms; `rested` is called when all markers stand still.
export function makeGlider(map, { duration = 900, rested = () => {} } = {}) {
    const moving = new Map();
    let frame = null;

    function step(now) {
        frame = null;
        for (const [marker, way] of moving) {
            const part = Math.min(1, (now - way.begun) / duration);
            const eased = part * (2 - part);
            const at = [
                way.from.lat + (way.to[0] - way.from.lat) * eased,
                way.from.lng + (way.to[1] - way.from.lng) * eased,
            ];
            for (const layer of way.layers) layer.setLatLng(at);
            if (part === 1) moving.delete(marker);
        }
        if (moving.size) frame = requestAnimationFrame(step);
        else rested();
    }

    return {
        /// - Parameter layers: what moves along with the marker.
        move(marker, to, layers = []) {
            const from = marker.getLatLng();
            const way = moving.get(marker);
            if (way && way.to[0] === to[0] && way.to[1] === to[1]) return;
            if (!way && from.lat === to[0] && from.lng === to[1]) return;
            const far = map.latLngToContainerPoint(from)
                .distanceTo(map.latLngToContainerPoint(to));
            if (document.hidden || reducesMotion() || far > LONGEST_JUMP_PX || far < 1) {
                moving.delete(marker);
                for (const layer of [marker, ...layers]) layer.setLatLng(to);
                return;
            }
            moving.set(marker, { from, to, begun: performance.now(), layers: [marker, ...layers] });
            frame ??= requestAnimationFrame(step);
        },

        stop(marker) {
            moving.delete(marker);
        },

        /// Moves all markers to their destinations at once, before the map zooms.
        finish() {
            for (const way of moving.values()) {
                for (const layer of way.layers) layer.setLatLng(way.to);
            }
            moving.clear();
        },
    };
}

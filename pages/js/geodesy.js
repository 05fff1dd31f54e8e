/// Distances and bearings on a sphere, between positions `{latitude, longitude}` in degrees.

import { EARTH_RADIUS_M } from "./units.js";

const radians = (degrees) => degrees * Math.PI / 180;

/// Metres between two positions, along the great circle.
export function metresBetween(a, b) {
    const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
    const half = Math.sin(north / 2) ** 2 + Math.sin(east / 2) ** 2
        * Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
    return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half)));
}

/// The initial bearing from `a` to `b`: degrees from north, clockwise, 0 to 360.
export function bearingBetween(a, b) {
    const [from, to] = [radians(a.latitude), radians(b.latitude)];
    const east = radians(b.longitude - a.longitude);
    const y = Math.sin(east) * Math.cos(to);
    const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east);
    return (Math.atan2(y, x) * 180 / Math.PI + 360) % 360;
}

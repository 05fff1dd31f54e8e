/// What the map has to show of a position: everywhere that somebody may be.

import * as L from "/leaflet/leaflet.esm.js";

/// In metres: a larger circle would only hide the map, and is not drawn.
export const LARGEST_CIRCLE_M = 20_000;

/// - Parameter fix: `{latitude,longitude,accuracy?}`, `accuracy` in metres.
/// - Returns: two opposite corners of the square around the circle that is drawn.
export function cornersOf({ latitude, longitude, accuracy = 0 }) {
    const radius = accuracy < LARGEST_CIRCLE_M ? accuracy : 0;
    const around = L.latLng(latitude, longitude).toBounds(2 * radius);
    return [around.getSouthWest(), around.getNorthEast()];
}

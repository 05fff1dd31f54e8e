/// The area the map must show for a position: everywhere the person may be.

import * as L from "/leaflet/leaflet.esm.js";

/// In metres: a larger circle would only hide the map, and is not drawn.
const LARGEST_CIRCLE_M = 20_000;

/// The radius of the circle around a position, in metres; 0: none is drawn.
export const circleOf = ({ accuracy }) =>
    (accuracy > 0 && accuracy < LARGEST_CIRCLE_M ? accuracy : 0);

/// - Parameter fix: `{latitude,longitude,accuracy?}`, `accuracy` in metres.
/// - Returns: two opposite corners of the square around the circle that is drawn.
export function cornersOf(fix) {
    const around = L.latLng(fix.latitude, fix.longitude).toBounds(2 * circleOf(fix));
    return [around.getSouthWest(), around.getNorthEast()];
}

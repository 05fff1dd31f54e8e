/// Fixes, as the browser reports them and the service takes them.

const EARTH_RADIUS_M = 6_371_009;
/// A timestamp farther from now than this does not count from 1970: some browsers use another
/// epoch.
const PLAUSIBLE_MS = 86_400_000;

/// Converts a position of the browser to a Fix, omitting what the device does not know.
///
/// - Parameter level: of the battery, 0 to 1, or undefined.
export function toFix({ coords, timestamp }, level) {
    const at = Math.abs(Date.now() - timestamp) < PLAUSIBLE_MS ? timestamp : Date.now();
    const fix = {
        latitude: coords.latitude,
        longitude: coords.longitude,
        timestamp: new Date(at).toISOString(),
    };
    for (const name of ["accuracy", "altitude", "altitudeAccuracy", "heading", "speed"]) {
        if (Number.isFinite(coords[name])) fix[name] = rounded(coords[name]);
    }
    if (Number.isFinite(level)) fix.battery = Math.round(level * 100);
    return fix;
}

/// Metres between two fixes, accurate enough for short distances.
export function metresBetween(a, b) {
    const radians = Math.PI / 180;
    const north = (b.latitude - a.latitude) * radians;
    const turn = ((b.longitude - a.longitude + 540) % 360 - 180) * radians;
    const east = turn * Math.cos((a.latitude + b.latitude) / 2 * radians);
    return EARTH_RADIUS_M * Math.hypot(north, east);
}

/// Rounds to hundredths: of a metre, or of any other unit.
function rounded(value) {
    return Math.round(value * 100) / 100;
}

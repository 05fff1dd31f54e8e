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

const radians = (degrees) => degrees * Math.PI / 180;

/// Metres between two positions, along the great circle.
export function metresBetween(a, b) {
    const [north, east] = [radians(b.latitude - a.latitude), radians(b.longitude - a.longitude)];
    const half = Math.sin(north / 2) ** 2 + Math.sin(east / 2) ** 2
        * Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
    return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(half)));
}

/// The bearing at which one sets out from `a` to `b`: degrees from north, clockwise, 0 to 360.
export function bearingBetween(a, b) {
    const [from, to] = [radians(a.latitude), radians(b.latitude)];
    const east = radians(b.longitude - a.longitude);
    const y = Math.sin(east) * Math.cos(to);
    const x = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(east);
    return (Math.atan2(y, x) * 180 / Math.PI + 360) % 360;
}

/// Rounds to hundredths: of a metre, or of any other unit.
function rounded(value) {
    return Math.round(value * 100) / 100;
}

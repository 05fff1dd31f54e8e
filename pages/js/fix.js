/// Fixes, as the browser reports them and the service accepts them.

import { DAY_MS } from "./units.js";

/// A timestamp farther from now than this does not count from 1970: some browsers use another
/// epoch.
const PLAUSIBLE_MS = DAY_MS;

/// Converts a browser position to a Fix, omitting values the device does not know.
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

/// Rounds to hundredths: of a metre, or of any other unit.
function rounded(value) {
    return Math.round(value * 100) / 100;
}

/// Unit conversions, and the size of the earth.

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const METRES_PER_MILE = 1609.344;

/// The mean radius (R₁ of the International Union of Geodesy and Geophysics).
export const EARTH_RADIUS_M = 6_371_009;

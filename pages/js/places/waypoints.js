/// The user's own places as a file that OwnTracks apps import.

const SECOND_MS = 1000;

/// - Parameter geofences: `[{geofence,name,latitude,longitude,radius}]`.
export function waypointsOf(geofences) {
    const taken = new Set();
    return {
        _type: "waypoints",
        waypoints: geofences.map(({ geofence, name, latitude, longitude, radius }) => {
            // The app identifies a place by this: it must be unique.
            let second = Math.floor(madeAt(geofence) / SECOND_MS);
            while (taken.has(second)) second += 1;
            taken.add(second);
            return {
                _type: "waypoint", desc: name, lat: latitude, lon: longitude,
                rad: Math.round(radius), tst: second,
            };
        }),
    };
}

/// When a place was made, in milliseconds: a version 7 UUID begins with that (RFC 9562).
function madeAt(id) {
    return parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}

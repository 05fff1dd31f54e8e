internal import Glibc
internal import Tracking

/// Metres east and north of somewhere.
struct Vector: Hashable, Sendable {
    var east: Double
    var north: Double

    static func + (left: Vector, right: Vector) -> Vector {
        Vector(east: left.east + right.east, north: left.north + right.north)
    }
    static func - (left: Vector, right: Vector) -> Vector {
        Vector(east: left.east - right.east, north: left.north - right.north)
    }
    static func * (vector: Vector, factor: Double) -> Vector {
        Vector(east: vector.east * factor, north: vector.north * factor)
    }

    var length: Double { (east * east + north * north).squareRoot() }
    /// Degrees clockwise from north, 0..<360.
    var heading: Double {
        let degrees = atan2(east, north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
    /// Turned counter-clockwise by so many radians.
    func rotated(by angle: Double) -> Vector {
        Vector(
            east: east * cos(angle) - north * sin(angle),
            north: east * sin(angle) + north * cos(angle))
    }
}

/// The earth around a place, flat: good for a city, within a thousandth at 50 km.
struct LocalPlane: Sendable {
    let origin: Coordinate
    /// Metres for a degree.
    private let perLatitude: Double
    private let perLongitude: Double

    /// Radii of curvature of the WGS 84 ellipsoid at the origin's latitude (NIMA TR8350.2, 4).
    init(origin: Coordinate) {
        self.origin = origin
        let semiMajorAxis = 6_378_137.0
        let eccentricitySquared = 0.006_694_379_990_14
        let latitude = origin.latitude * .pi / 180
        let w = 1 - eccentricitySquared * sin(latitude) * sin(latitude)
        let meridian = semiMajorAxis * (1 - eccentricitySquared) / (w * w.squareRoot())
        let primeVertical = semiMajorAxis / w.squareRoot()
        perLatitude = meridian * .pi / 180
        // At a pole no step east leads anywhere; a metre keeps the division harmless.
        perLongitude = max(1, primeVertical * cos(latitude) * .pi / 180)
    }

    func vector(to place: Coordinate) -> Vector {
        Vector(
            east: (place.longitude - origin.longitude).asLongitude * perLongitude,
            north: (place.latitude - origin.latitude) * perLatitude)
    }

    /// Stays on the map: beyond a pole, it is the pole.
    func coordinate(at vector: Vector) -> Coordinate {
        let latitude = origin.latitude + vector.north / perLatitude
        let longitude = origin.longitude + vector.east / perLongitude
        return Coordinate(
            latitude: min(90, max(-90, latitude)), longitude: longitude.asLongitude) ?? origin
    }
}

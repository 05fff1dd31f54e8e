internal import Glibc
internal import Tracking

/// A distance in metres east and north.
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
    /// Returns the vector turned counter-clockwise by an angle in radians.
    func rotated(by angle: Double) -> Vector {
        Vector(
            east: east * cos(angle) - north * sin(angle),
            north: east * sin(angle) + north * cos(angle))
    }
}

/// A flat projection of the earth around a place; accurate enough for a city, within 0.1 % at 50
/// km.
struct LocalPlane: Sendable {
    let origin: Coordinate
    /// Metres per degree.
    private let perLatitude: Double
    private let perLongitude: Double

    /// Uses the radii of curvature of the WGS 84 ellipsoid at the origin's latitude (NIMA TR8350.2,
    /// 4).
    init(origin: Coordinate) {
        self.origin = origin
        let semiMajorAxis = 6_378_137.0
        let eccentricitySquared = 0.006_694_379_990_14
        let latitude = origin.latitude * .pi / 180
        let w = 1 - eccentricitySquared * sin(latitude) * sin(latitude)
        let meridian = semiMajorAxis * (1 - eccentricitySquared) / (w * w.squareRoot())
        let primeVertical = semiMajorAxis / w.squareRoot()
        perLatitude = meridian * .pi / 180
        // At a pole a step east leads nowhere; one metre avoids a division by zero.
        perLongitude = max(1, primeVertical * cos(latitude) * .pi / 180)
    }

    func vector(to place: Coordinate) -> Vector {
        Vector(
            east: (place.longitude - origin.longitude).asLongitude * perLongitude,
            north: (place.latitude - origin.latitude) * perLatitude)
    }

    /// Returns a valid coordinate: a position beyond a pole becomes the pole.
    func coordinate(at vector: Vector) -> Coordinate {
        let latitude = origin.latitude + vector.north / perLatitude
        let longitude = origin.longitude + vector.east / perLongitude
        return Coordinate(
            latitude: min(90, max(-90, latitude)), longitude: longitude.asLongitude) ?? origin
    }
}

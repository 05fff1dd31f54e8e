public import JSON
public import Tracking

extension Fields {
    /// Reads `latitude` and `longitude`.
    mutating func coordinate() -> Coordinate? {
        let latitude = number("latitude", in: -90...90)
        let longitude = number("longitude", in: -180...180)
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }
}

extension JSONWriter {
    /// `latitude` and `longitude`.
    public mutating func coordinate(_ coordinate: Coordinate) {
        key("latitude")
        degrees(e7: coordinate.latitudeE7)
        key("longitude")
        degrees(e7: coordinate.longitudeE7)
    }
}

extension Form where Value == Coordinate {
    /// `latitude` and `longitude`, in degrees.
    static let coordinate = Form<(latitude: Double, longitude: Double)>(
        Form<Double>("latitude", .number(-90...90)), Form<Double>("longitude", .number(-180...180))
    ) { ($0, $1) }
    .reading { degrees, _, _ in
        Coordinate(latitude: degrees.latitude, longitude: degrees.longitude)
    }
}

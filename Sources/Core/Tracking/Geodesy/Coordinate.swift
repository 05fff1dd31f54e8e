internal import Numbers

/// A place on the WGS 84 ellipsoid, stored in units of 10⁻⁷ degrees (1.1 cm at the equator).
///
/// With whole numbers, a place stays equal to itself through any number of conversions to JSON and
/// SQL.
public struct Coordinate: Hashable, Sendable {
    /// −900,000,000…900,000,000, north positive.
    public let latitudeE7: Int32
    /// −1,800,000,000…1,800,000,000, east positive.
    public let longitudeE7: Int32

    /// Nil if a number is not finite or out of range.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }  // Not for NaN.
        latitudeE7 = Int32(clamping: (latitude * 1e7).rounded())
        longitudeE7 = Int32(clamping: (longitude * 1e7).rounded())
    }

    /// Nil if a number is out of range.
    public init?(latitudeE7: Int64, longitudeE7: Int64) {
        guard (-900_000_000...900_000_000).contains(latitudeE7),
            (-1_800_000_000...1_800_000_000).contains(longitudeE7)
        else { return nil }
        self.latitudeE7 = Int32(latitudeE7)
        self.longitudeE7 = Int32(longitudeE7)
    }

    /// Degrees.
    public var latitude: Double { Double(latitudeE7) / 1e7 }
    /// Degrees.
    public var longitude: Double { Double(longitudeE7) / 1e7 }
}

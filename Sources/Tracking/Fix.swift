/// One reading of a device's position. Every fix has two times: when it was taken, by the
/// device's clock, and when it arrived, by the server's.
public struct Fix: Hashable, Sendable, Codable {
    public var coordinate: Coordinate
    public var takenAt: Timestamp
    public var receivedAt: Timestamp
    /// Metres, 95 % confidence.
    public var accuracy: Double?
    /// Metres above the ellipsoid.
    public var altitude: Double?
    /// Metres, 95 % confidence.
    public var altitudeAccuracy: Double?
    /// Degrees clockwise from true north, 0..<360.
    public var heading: Double?
    /// Metres per second.
    public var speed: Double?
    /// Percent.
    public var battery: Double?
    /// The device's own numbering, growing by one; asks for receipts.
    public var sequence: Int64?

    public init(
        coordinate: Coordinate, takenAt: Timestamp, receivedAt: Timestamp, accuracy: Double? = nil,
        altitude: Double? = nil, altitudeAccuracy: Double? = nil, heading: Double? = nil,
        speed: Double? = nil, battery: Double? = nil, sequence: Int64? = nil
    ) {
        self.coordinate = coordinate
        self.takenAt = takenAt
        self.receivedAt = receivedAt
        self.accuracy = accuracy
        self.altitude = altitude
        self.altitudeAccuracy = altitudeAccuracy
        self.heading = heading
        self.speed = speed
        self.battery = battery
        self.sequence = sequence
    }
}

/// One reading of a device's position. Every fix has two times: when it was taken, by the device's
/// clock, and when it arrived, by the server's.
///
/// Memory holds one for each user and more for some, so optional values take no extra space.
public struct Fix: Hashable, Sendable {
    public var coordinate: Coordinate
    public var takenAt: Timestamp
    public var receivedAt: Timestamp
    private var accuracyOrNone = Fix.none
    private var altitudeOrNone = Fix.none
    private var altitudeAccuracyOrNone = Fix.none
    private var headingOrNone = Fix.none
    private var speedOrNone = Fix.none
    private var batteryOrNone = Fix.none
    private var sequenceOrNone = Int64.min

    /// A value that no reading has.
    private static let none = -Double.greatestFiniteMagnitude

    /// Metres, 95 % confidence.
    public var accuracy: Double? {
        get { Fix.value(accuracyOrNone) }
        set { accuracyOrNone = newValue ?? Fix.none }
    }
    /// Metres above the ellipsoid.
    public var altitude: Double? {
        get { Fix.value(altitudeOrNone) }
        set { altitudeOrNone = newValue ?? Fix.none }
    }
    /// Metres, 95 % confidence.
    public var altitudeAccuracy: Double? {
        get { Fix.value(altitudeAccuracyOrNone) }
        set { altitudeAccuracyOrNone = newValue ?? Fix.none }
    }
    /// Degrees clockwise from true north, 0..<360.
    public var heading: Double? {
        get { Fix.value(headingOrNone) }
        set { headingOrNone = newValue ?? Fix.none }
    }
    /// Metres per second.
    public var speed: Double? {
        get { Fix.value(speedOrNone) }
        set { speedOrNone = newValue ?? Fix.none }
    }
    /// Percent.
    public var battery: Double? {
        get { Fix.value(batteryOrNone) }
        set { batteryOrNone = newValue ?? Fix.none }
    }
    /// The device's own number, which increases by one; requests receipts.
    public var sequence: Int64? {
        get { sequenceOrNone == .min ? nil : sequenceOrNone }
        set { sequenceOrNone = newValue ?? .min }
    }

    private static func value(_ stored: Double) -> Double? { stored == none ? nil : stored }

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

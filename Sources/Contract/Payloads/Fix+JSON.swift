public import JSON
public import Tracking

/// The limits that a fix must respect to be accepted.
public struct FixLimits: Hashable, Sendable {
    /// The maximum number of fixes in one message.
    public static let maximumCount = 1000
    /// Metres; half the earth's circumference means "anywhere".
    static let accuracyRange = 0.0...20_004_000.0
    /// Metres; from below the deepest sea to low orbits.
    static let altitudeRange = -12_000.0...2_000_000.0
    /// Metres per second, up to escape velocity.
    static let speedRange = 0.0...11_200.0
    public static let sequenceRange = Receipts.numbers

    /// How far a device's clock may be ahead of the server's.
    public var futureTolerance = Rules().futureTolerance
    /// The maximum age of a fix: an older one would be deleted at once.
    public var retention = Duration.seconds(30 * 86_400)

    public init() {}
}

extension Fix {
    /// Reads a Fix (contract, section 5).
    ///
    /// - Parameters:
    ///   - isTold: whether the reasons for a refusal are to be reported.
    ///   - usualTime: when the fix was taken, if it does not say.
    /// - Throws: `invalid` with every field that cannot be accepted, or `too-old`.
    public init(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String = "",
        isTold: Bool = true, usualTime: Timestamp? = nil, _ limits: FixLimits
    ) throws(Problem) {
        var fields = try Fields(value, prefix: prefix, isTold: isTold)
        let latitude = fields.number("latitude", in: -90...90)
        let longitude = fields.number("longitude", in: -180...180)
        let takenAt =
            usualTime == nil
            ? fields.time("timestamp") : fields.time(ifPresent: "timestamp") ?? usualTime
        let accuracy = fields.number(ifPresent: "accuracy", in: FixLimits.accuracyRange)
        let altitude = fields.number(ifPresent: "altitude", in: FixLimits.altitudeRange)
        let altitudeAccuracy = fields.number(
            ifPresent: "altitudeAccuracy", in: FixLimits.accuracyRange)
        let heading = fields.number(ifPresent: "heading", in: 0...360)
        let speed = fields.number(ifPresent: "speed", in: FixLimits.speedRange)
        let battery = fields.number(ifPresent: "battery", in: 0...100)
        let sequence = fields.integer(ifPresent: "seq", in: FixLimits.sequenceRange)
        if latitude == 0, longitude == 0, accuracy == nil {
            fields.refuse("latitude", "and longitude are exactly 0 with no accuracy")
        }
        fields.check(takenAt, "timestamp", now, limits)
        try fields.check()
        guard let latitude, let longitude, let takenAt,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw .incomplete }
        try limits.checkAge(of: takenAt, at: now, Fix.plural)
        self.init(
            coordinate: coordinate, takenAt: takenAt, receivedAt: now, accuracy: accuracy,
            altitude: altitude, altitudeAccuracy: altitudeAccuracy,
            heading: heading == 360 ? 0 : heading, speed: speed, battery: battery,
            sequence: sequence)
    }
}

extension FixLimits {
    fileprivate var futureReason: String {
        "is more than \(futureTolerance.milliseconds / 1000) s in the future"
    }

    func checkAge(of takenAt: Timestamp, at now: Timestamp, _ plural: String) throws(Problem) {
        guard takenAt < now - retention else { return }
        throw Problem(.tooOld, "It was taken longer ago than the service keeps \(plural).")
    }
}

extension Fields {
    mutating func check(
        _ takenAt: Timestamp?, _ field: String, _ now: Timestamp, _ limits: FixLimits
    ) {
        guard let takenAt, takenAt > now + limits.futureTolerance else { return }
        refuse(field, limits.futureReason)
    }
}

extension Fix: DeviceSample {
    public static var plural: String { "fixes" }

    public init(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String, isTold: Bool,
        _ limits: FixLimits
    ) throws(Problem) {
        try self.init(
            value, receivedAt: now, prefix: prefix, isTold: isTold, usualTime: nil, limits)
    }

    public static func time(of value: JSONValue) -> Timestamp? {
        Timestamp(inMember: "timestamp", of: value)
    }
}

extension Timestamp {
    /// RFC 3339 or epoch milliseconds.
    init?(inMember name: String, of value: JSONValue) {
        do throws(Problem) {
            var fields = try Fields(value, isTold: false)
            guard let time = fields.time(name) else { return nil }
            self = time
        } catch {
            return nil
        }
    }
}

extension JSONWriter {
    /// Writes a Fix as it is published, and as devices send it.
    ///
    /// - Parameter asReceived: whether `receivedAt` is included.
    public mutating func fix(_ fix: Fix, asReceived: Bool = true) {
        object { json in json.fixMembers(fix, asReceived: asReceived) }
    }

    /// The same without its braces.
    public mutating func fixMembers(_ fix: Fix, asReceived: Bool = true) {
        key("latitude")
        degrees(e7: fix.coordinate.latitudeE7)
        key("longitude")
        degrees(e7: fix.coordinate.longitudeE7)
        key("timestamp")
        time(fix.takenAt)
        optional("accuracy", fix.accuracy)
        optional("altitude", fix.altitude)
        optional("altitudeAccuracy", fix.altitudeAccuracy)
        optional("heading", fix.heading)
        optional("speed", fix.speed)
        optional("battery", fix.battery)
        if let sequence = fix.sequence {
            key("seq")
            number(sequence)
        }
        guard asReceived else { return }
        key("receivedAt")
        time(fix.receivedAt)
    }

    mutating func optional(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        self.key(key)
        number(value)
    }
}

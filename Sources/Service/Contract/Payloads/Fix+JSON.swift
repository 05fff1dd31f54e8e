public import JSON
public import Tracking

/// The limits that a fix must respect to be accepted.
public struct FixLimits: Hashable, Sendable {
    /// The maximum number of fixes in one message.
    public static let maximumCount = 1000
    /// Metres; half the earth's circumference.
    static let anywhere = 20_004_000.0
    /// Metres.
    static let accuracyRange = 0.0...anywhere
    public static let sequenceRange = Receipts.numbers

    /// The maximum lead of a device's clock over the server's.
    public var futureTolerance = Rules().futureTolerance
    /// The maximum age of a fix: an older one would be deleted immediately.
    public var retention = Duration.seconds(30 * 86_400)
    /// The sending device's clock.
    public var clock = DeviceClock()

    public init() {}
}

extension Fix {
    /// Reads a Fix (contract, section 5), silently omitting invalid optional fields.
    ///
    /// - Parameter usualTime: the time of a fix without one.
    /// - Throws: `invalid` with every field that cannot be accepted, or `too-old`.
    public init(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String = "",
        usualTime: Timestamp? = nil, _ limits: FixLimits
    ) throws(Problem) {
        var fields = try Fields(value, prefix: prefix)
        try self.init(&fields, receivedAt: now, usualTime: usualTime, limits)
    }

    /// Reads a Fix with any time; nil if anything else is wrong with it.
    public init?(_ value: JSONValue, takenAt now: Timestamp, _ limits: FixLimits) {
        do throws(Problem) {
            var fields = try Fields(value, isTold: false)
            try self.init(
                &fields, receivedAt: now, usualTime: now, readsTime: false, limits)
        } catch {
            return nil
        }
    }

    /// - Parameter fields: omitted fields are recorded there.
    init(
        _ fields: inout Fields, receivedAt now: Timestamp, usualTime: Timestamp? = nil,
        readsTime: Bool = true, _ limits: FixLimits
    ) throws(Problem) {
        let latitude = fields.number("latitude", in: -90...90)
        let longitude = fields.number("longitude", in: -180...180)
        let given =
            usualTime == nil
            ? fields.time("timestamp") : readsTime ? fields.time(ifPresent: "timestamp") : nil
        let takenAt = fields.corrected(given, "timestamp", now, limits) ?? usualTime
        let accuracy = fields.accuracy()
        let altitude = fields.measured("altitude", .altitude)
        let altitudeAccuracy = fields.measured("altitudeAccuracy", .altitudeAccuracy)
        let heading = fields.measured("heading", .heading)
        let speed = fields.measured("speed", .speed)
        let battery = fields.measured("battery", .battery)
        let sequence = fields.sequence()
        if latitude == 0, longitude == 0, accuracy == nil {
            fields.refuse("latitude", "and longitude are exactly 0 with no accuracy")
        }
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
        throw Problem(.tooOld, "It is older than the service keeps \(plural).")
    }

    /// Whether a sample's time is acceptable.
    func admits(_ takenAt: Timestamp, at now: Timestamp) -> Bool {
        takenAt <= now + futureTolerance && takenAt >= now - retention
    }

    /// Converts a device's time to the server's clock.
    ///
    /// - Parameter raw: the time by the device's clock.
    func corrected(_ raw: Timestamp, at now: Timestamp) -> Timestamp {
        clock.corrected(raw, at: now, ahead: futureTolerance, before: retention)
    }

    /// Whether the time was given in seconds instead of milliseconds.
    func isInSeconds(_ raw: Timestamp, at now: Timestamp) -> Bool {
        let (milliseconds, isBeyond) = raw.milliseconds.multipliedReportingOverflow(by: 1000)
        return !isBeyond && !admits(raw, at: now)
            && admits(Timestamp(milliseconds: milliseconds), at: now)
    }
}

extension Fields {
    /// Reads the accuracy in metres. An impossible value does not count as absent, as that counts
    /// as good: the position may be anywhere.
    mutating func accuracy() -> Double? {
        guard self["accuracy"] != nil else { return nil }
        return leavingOut { $0.number(ifPresent: "accuracy", in: FixLimits.accuracyRange) }
            ?? FixLimits.anywhere
    }

    /// Reads the device's own number of a sample.
    mutating func sequence() -> Int64? {
        leavingOut { $0.integer(ifPresent: "seq", in: FixLimits.sequenceRange) }
    }

    /// Reads when a sample was taken, by the server's clock.
    ///
    /// - Parameter raw: the time by the device's clock.
    public mutating func corrected(
        _ raw: Timestamp?, _ field: String, _ now: Timestamp, _ limits: FixLimits
    ) -> Timestamp? {
        guard let raw else { return nil }
        let takenAt = limits.corrected(raw, at: now)
        if takenAt > now + limits.futureTolerance { refuse(field, limits.futureReason) }
        if limits.isInSeconds(raw, at: now) {
            refuse(field, "is in 1970: this must be in milliseconds, not seconds")
        }
        return takenAt
    }
}

extension Fix: DeviceSample {
    public static var plural: String { "fixes" }

    public init(
        _ value: JSONValue, _ fields: inout Fields, receivedAt now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        try self.init(&fields, receivedAt: now, limits)
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

extension Fix {
    /// What is read and written here, by hand.
    static let row = PayloadRow(
        "Fix",
        Coordinate.members + [
            .init("timestamp", .time), .measured("accuracy", FixLimits.accuracyRange, "metres"),
            .measured("altitude", Measurable.altitude.range, "metres"),
            .measured("altitudeAccuracy", Measurable.altitudeAccuracy.range, "metres"),
            .measured("heading", Measurable.heading.range, "degrees from north"),
            .measured("speed", Measurable.speed.range, "metres per second"),
            .measured("battery", Measurable.battery.range, "percent"),
            .sequence, .receivedAt,
        ], "optional members outside their bounds are left out")
}

extension Schema.Member {
    static func measured(
        _ name: String, _ range: ClosedRange<Double>, _ unit: String? = nil
    ) -> Schema.Member {
        Schema.Member(name, isRequired: false, .number(range), unit)
    }

    static let sequence = Schema.Member(
        "seq", isRequired: false, .integer(FixLimits.sequenceRange), "the device's own number")
    static let receivedAt = Schema.Member(
        "receivedAt", isRequired: false, .text(.time), "written by the service")
}

extension JSONWriter {
    /// Writes a Fix in the format that is published and that devices send.
    ///
    /// - Parameter asReceived: whether `receivedAt` is included.
    public mutating func fix(_ fix: Fix, asReceived: Bool = true) {
        object { json in json.fixMembers(fix, asReceived: asReceived) }
    }

    /// The same without its braces.
    public mutating func fixMembers(
        _ fix: Fix, asReceived: Bool = true, isNumbered: Bool = true
    ) {
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
        if isNumbered, let sequence = fix.sequence {
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

internal import JSON
internal import Numbers
public import Tracking

/// A message from an OwnTracks phone, as far as Kith acts on it. Unknown keys and types are
/// silently ignored (docs: owntracks.org/booklet/tech/json).
public enum OwnTracksMessage: Sendable {
    /// The positions in their original order, more than one in a buffered upload, and the errors of
    /// any others; for those refused only for their time, the newest time by the phone's clock.
    case locations([Location], refused: [Problem], mistimedAt: Timestamp?)
    /// The broker reports that the phone's connection has been lost.
    case lastWill
    /// Regions that the phone watches.
    case waypoints([Waypoint])
    /// The phone has entered or left one of them.
    case transition(Transition)
    /// Nothing to act on except that the phone is alive.
    case other

    /// The time of the newest sample whose only fault is its time, by the phone's clock.
    public var mistimedAt: Timestamp? {
        guard case .locations(let locations, _, let mistimedAt) = self else { return nil }
        return ([mistimedAt] + locations.map(\.mistimedAt)).compactMap(\.self).max()
    }

    public struct Waypoint: Hashable, Sendable {
        public let name: String
        public let circle: Geofence
        /// The app's identifier: the time of its creation.
        public let source: String
    }

    public struct Transition: Hashable, Sendable {
        public let side: Geofence.Side
        public let at: Timestamp
        /// See ``Waypoint/source``.
        public let source: String
    }

    public struct Location: Sendable {
        /// Nil if the message has no position.
        public let fix: Fix?
        /// The time at which the app created the message: never before the fix, often later.
        public let createdAt: Timestamp
        /// Its error. Only a message that may be a call for help is read despite one: its times are
        /// then those of its arrival, where they could not be accepted.
        public let problem: Problem?
        /// The time of the fix by the phone's clock; nil unless that is its only fault.
        public let mistimedAt: Timestamp?
        /// The message's times as sent, which identify a repetition.
        public let times: String
        /// The person pressed the publish button.
        public let isManual: Bool
        /// The person marked the place with `SOS`, in apps with such marks.
        public let isMarkedSOS: Bool
    }

    /// - Parameter payload: empty if a user "forgot a friend", which needs no action.
    /// - Throws: `malformed`, `invalid`, `too-large`, `too-old`.
    public init(_ payload: [UInt8], receivedAt now: Timestamp, _ limits: FixLimits)
        throws(Problem)
    {
        guard !payload.isEmpty else {
            self = .other
            return
        }
        let value: JSONValue
        do { value = try JSONValue.parse(payload) } catch { throw Problem(error) }
        if case .array(let elements) = value {
            guard elements.count <= FixLimits.maximumCount else {
                throw Problem(
                    .tooLarge, "A message may have at most \(FixLimits.maximumCount) locations.")
            }
            self = OwnTracksMessage(elements, receivedAt: now, limits)
            return
        }
        switch value["_type"] {
        case .string("location"):
            self = OwnTracksMessage([value], isOne: true, receivedAt: now, limits)
        case .string("lwt"):
            self = .lastWill
        case .string("waypoint"):
            self = Waypoint(value).map { .waypoints([$0]) } ?? .other
        case .string("waypoints"):
            guard case .array(let values)? = value["waypoints"] else {
                self = .other
                return
            }
            self = .waypoints(values.compactMap { Waypoint($0) })
        case .string("transition"):
            self = Transition(value).map { .transition($0) } ?? .other
        case .string("encrypted"):
            throw Problem(
                invalid: [.init(field: "_type", reason: "is encrypted, which is not supported")])
        default:
            self = .other
        }
    }

    /// - Parameter isOne: whether the message is the only element.
    private init(
        _ elements: [JSONValue], isOne: Bool = false, receivedAt now: Timestamp,
        _ limits: FixLimits
    ) {
        var (locations, mistimed) = ([Location](), Timestamp?.none)
        var refusals = Refusals()
        for (index, element) in elements.enumerated()
        where element["_type"] == .string("location") {
            let reading = refusals.read(index) { prefix, isTold throws(Problem) in
                try Location(
                    element, receivedAt: now, prefix: isOne ? "" : prefix, isTold: isTold, limits)
            }
            switch reading {
            case .taken(let location): locations.append(location)
            case .refused:
                let taken = Location.mistimedAt(element, receivedAt: now, limits)
                mistimed = [mistimed, taken].compactMap(\.self).max()
            }
        }
        self = .locations(locations, refused: refusals.problems, mistimedAt: mistimed)
    }
}

extension OwnTracksMessage.Waypoint {
    /// Nil for a beacon, and for anything invalid.
    init?(_ value: JSONValue) {
        guard case .string(let text)? = value["desc"], case .number(let latitude)? = value["lat"],
            case .number(let longitude)? = value["lon"], case .number(let radius)? = value["rad"],
            let source = OwnTracksMessage.source(value["tst"]), radius > 0,
            let centre = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        do throws(DisplayName.Reason) {
            name = try DisplayName.checked(text, atMost: DisplayName.maximumLength)
        } catch {
            return nil
        }
        circle = Geofence(
            centre: centre,
            radius: min(max(radius, OwnPlace.radius.lowerBound), OwnPlace.radius.upperBound))
        self.source = source
    }
}

extension OwnTracksMessage.Transition {
    init?(_ value: JSONValue) {
        guard let seconds = value["tst"]?.integer, (1...253_402_300_799).contains(seconds),
            let source = OwnTracksMessage.source(value["wtst"])
        else { return nil }
        switch value["event"] {
        case .string("enter"): side = .inside
        case .string("leave"): side = .outside
        default: return nil
        }
        (at, self.source) = (Timestamp(milliseconds: seconds * 1_000), source)
    }
}

extension OwnTracksMessage {
    fileprivate static func source(_ seconds: JSONValue?) -> String? {
        seconds?.integer.map { "owntracks:\($0)" }
    }
}

extension OwnTracksMessage.Location {
    /// - Throws: `invalid` with every field that cannot be accepted, or `too-old`, unless the
    ///   message may be a call for help.
    init(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String = "", isTold: Bool = true,
        _ limits: FixLimits
    ) throws(Problem) {
        var fields = try Fields(value, prefix: prefix, isTold: isTold)
        isManual = fields["t"] == .string("u")
        isMarkedSOS = fields["poi"] == .string("SOS") || fields["tag"] == .string("SOS")
        let (taken, created) = (fields.seconds("tst"), fields.seconds("created_at"))
        let latest = [taken, created].compactMap(\.self).max()
        times = "\(taken?.milliseconds ?? 0):\(latest?.milliseconds ?? 0)"
        let known = [taken, created].compactMap { time in
            time.map { limits.corrected($0, at: now) }.flatMap {
                limits.admits($0, at: now) ? $0 : nil
            }
        }
        createdAt = known.max() ?? now
        do throws(Problem) {
            fix = try Fix(ownTracks: &fields, receivedAt: now, limits)
            (problem, mistimedAt) = (nil, nil)
        } catch {
            guard isManual || isMarkedSOS else { throw error }
            problem = isTold ? error : Location.refusal(of: value, receivedAt: now, limits)
            fix = Location.fix(value, takenAt: createdAt, receivedAt: now, limits)
            mistimedAt = fix == nil ? nil : taken
        }
    }

    private typealias Location = OwnTracksMessage.Location

    /// Returns why the location cannot be accepted.
    private static func refusal(
        of value: JSONValue, receivedAt now: Timestamp, _ limits: FixLimits
    ) -> Problem {
        do throws(Problem) {
            var fields = try Fields(value)
            _ = try Fix(ownTracks: &fields, receivedAt: now, limits)
            return .incomplete
        } catch {
            return error
        }
    }

    /// Returns when it was taken, by the phone's clock, if nothing else is wrong with it.
    fileprivate static func mistimedAt(
        _ value: JSONValue, receivedAt now: Timestamp, _ limits: FixLimits
    ) -> Timestamp? {
        do throws(Problem) {
            let isRight = fix(value, takenAt: now, receivedAt: now, limits) != nil
            return isRight ? try Fields(value, isTold: false).seconds("tst") : nil
        } catch {
            return nil
        }
    }

    /// - Returns: nil if anything else than its time is wrong.
    private static func fix(
        _ value: JSONValue, takenAt: Timestamp, receivedAt now: Timestamp, _ limits: FixLimits
    ) -> Fix? {
        do throws(Problem) {
            var fields = try Fields(value, isTold: false)
            return try Fix(ownTracks: &fields, usualTime: takenAt, receivedAt: now, limits)
        } catch {
            return nil
        }
    }
}

extension Fix {
    /// - Parameter usualTime: when it was taken, if it does not contain that.
    fileprivate init(
        ownTracks fields: inout Fields, usualTime: Timestamp? = nil, receivedAt now: Timestamp,
        _ limits: FixLimits
    ) throws(Problem) {
        let latitude = fields.ownTracksNumber("lat", in: -90...90)
        let longitude = fields.ownTracksNumber("lon", in: -180...180)
        for field in ["lat", "lon"] + (usualTime == nil ? ["tst"] : []) where fields[field] == nil {
            fields.refuse(field, "is missing")
        }
        let takenAt = usualTime ?? fields.takenAt(now, limits)
        // The apps send an impossible value for "unknown".
        let accuracy =
            fields.known("acc", in: FixLimits.accuracyRange)
            ?? (fields["acc"] == nil ? nil : FixLimits.anywhere)
        if latitude == 0, longitude == 0, accuracy == nil {
            fields.refuse("lat", "and lon are exactly 0 with no accuracy")
        }
        try fields.check()
        guard let latitude, let longitude, let takenAt,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw .incomplete }
        try limits.checkAge(of: takenAt, at: now, Fix.plural)
        self.init(
            coordinate: coordinate, takenAt: takenAt, receivedAt: now, accuracy: accuracy,
            altitude: fields.known("alt", .altitude),
            altitudeAccuracy: fields.known("vac", .altitudeAccuracy),
            heading: fields.known("cog", .heading).map { $0 == 360 ? 0 : $0 },
            speed: fields.known("vel", in: 0...40_320)
                .flatMap { Measurable.speed.reading(($0 / 3.6 * 1000).rounded() / 1000) },
            battery: fields.known("batt", .battery))
    }
}

extension Fields {
    /// Reads a number, or a string with a number, as some publishers send it.
    fileprivate mutating func ownTracksNumber(
        _ field: String, in range: ClosedRange<Double>
    ) -> Double? {
        if case .string(let text) = self[field], let number = Double(text), number.isFinite,
            range.contains(number)
        {
            return number
        }
        return number(ifPresent: field, in: range)
    }

    /// Reads when a location was taken, by the server's clock.
    fileprivate mutating func takenAt(_ now: Timestamp, _ limits: FixLimits) -> Timestamp? {
        let milliseconds = known("tst", in: 1...Double(Int64.max))
        if let milliseconds,
            limits.admits(Timestamp(milliseconds: Int64(clamping: milliseconds)), at: now)
        {
            refuse("tst", "is far in the future: this must be in seconds, not milliseconds")
            return nil
        }
        _ = ownTracksNumber("tst", in: Self.epochSeconds)
        return corrected(seconds("tst"), "tst", now, limits)
    }

    /// The range of times that the apps write, from 1970 to 9999.
    private static let epochSeconds = 1...253_402_300_799.0

    fileprivate func seconds(_ field: String) -> Timestamp? {
        known(field, in: Self.epochSeconds).map {
            Timestamp(milliseconds: Int64(clamping: $0 * 1000))
        }
    }

    fileprivate func known(_ field: String, _ kind: Measurable) -> Double? {
        known(field, in: kind.range).flatMap(kind.reading)
    }

    fileprivate func known(_ field: String, in range: ClosedRange<Double>) -> Double? {
        var copy = self
        return copy.ownTracksNumber(field, in: range)
    }
}

internal import JSON
internal import Numbers
public import Tracking

/// A message from an OwnTracks phone, as far as Kith acts on it. Unknown keys and types are
/// silently ignored (docs: owntracks.org/booklet/tech/json).
public enum OwnTracksMessage: Sendable {
    /// The positions in their original order, more than one in a buffered upload, and what was
    /// wrong with any others.
    case locations([Location], refused: [Problem])
    /// The broker reports that the phone's connection has been lost.
    case lastWill
    /// Regions that the phone watches.
    case waypoints([Waypoint])
    /// The phone has entered or left one of them.
    case transition(Transition)
    /// Nothing to act on except that the phone is alive.
    case other

    public struct Waypoint: Hashable, Sendable {
        public let name: String
        public let circle: Geofence
        /// By what the app knows it: when it was made.
        public let source: String
    }

    public struct Transition: Hashable, Sendable {
        public let side: Geofence.Side
        public let at: Timestamp
        /// See ``Waypoint/source``.
        public let source: String
    }

    public struct Location: Sendable {
        public let fix: Fix
        /// When the app created the message, by the phone's clock: never before the fix, often
        /// later.
        public let createdAt: Timestamp
        /// The person pressed the publish button.
        public let isManual: Bool
        /// The person marked the place with `SOS`, in apps that have such marks.
        public let isMarkedSOS: Bool
    }

    /// - Parameter payload: empty if somebody "forgot a friend", which needs no action.
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
            self = try OwnTracksMessage(elements, receivedAt: now, limits)
            return
        }
        switch value["_type"] {
        case .string("location"):
            self = .locations(
                [try Location(value, receivedAt: now, limits)], refused: [])
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

    private init(_ elements: [JSONValue], receivedAt now: Timestamp, _ limits: FixLimits)
        throws(Problem)
    {
        guard elements.count <= FixLimits.maximumCount else {
            throw Problem(
                .tooLarge, "A message may have at most \(FixLimits.maximumCount) locations.")
        }
        var locations: [Location] = []
        var refusals = Refusals()
        for (index, element) in elements.enumerated()
        where element["_type"] == .string("location") {
            let reading = refusals.read(index) { prefix, isTold throws(Problem) in
                try Location(element, receivedAt: now, prefix: prefix, isTold: isTold, limits)
            }
            if case .taken(let location) = reading { locations.append(location) }
        }
        self = .locations(locations, refused: refusals.problems)
    }
}

extension OwnTracksMessage.Waypoint {
    /// Nil for a beacon, and for what is none.
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
    init(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String = "", isTold: Bool = true,
        _ limits: FixLimits
    ) throws(Problem) {
        var fields = try Fields(value, prefix: prefix, isTold: isTold)
        let latitude = fields.ownTracksNumber("lat", in: -90...90)
        let longitude = fields.ownTracksNumber("lon", in: -180...180)
        let seconds = fields.ownTracksNumber("tst", in: 1...253_402_300_799)
        for (field, value) in [("lat", latitude), ("lon", longitude), ("tst", seconds)]
        where value == nil && fields[field] == nil {
            fields.refuse(field, "is missing")
        }
        let takenAt = seconds.map { Timestamp(milliseconds: Int64(clamping: $0 * 1000)) }
        // The apps use a value that makes no sense to mean "unknown".
        let accuracy = fields.known("acc", in: FixLimits.accuracyRange)
        if latitude == 0, longitude == 0, accuracy == nil {
            fields.refuse("lat", "and lon are exactly 0 with no accuracy")
        }
        fields.check(takenAt, "tst", now, limits)
        try fields.check()
        guard let latitude, let longitude, let takenAt,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw .incomplete }
        try limits.checkAge(of: takenAt, at: now, Fix.plural)
        fix = Fix(
            coordinate: coordinate, takenAt: takenAt, receivedAt: now, accuracy: accuracy,
            altitude: fields.known("alt", in: FixLimits.altitudeRange),
            altitudeAccuracy: fields.known("vac", in: FixLimits.accuracyRange),
            heading: fields.known("cog", in: 0...360).map { $0 == 360 ? 0 : $0 },
            speed: fields.known("vel", in: 0...40_320).map { ($0 / 3.6 * 1000).rounded() / 1000 },
            battery: fields.known("batt", in: 0...100))
        let created = fields.known("created_at", in: 1...253_402_300_799)
        createdAt = max(takenAt, Timestamp(milliseconds: Int64(clamping: (created ?? 0) * 1000)))
        isManual = fields["t"] == .string("u")
        isMarkedSOS = fields["poi"] == .string("SOS") || fields["tag"] == .string("SOS")
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

    fileprivate func known(_ field: String, in range: ClosedRange<Double>) -> Double? {
        var copy = self
        return copy.ownTracksNumber(field, in: range)
    }
}

public import Tracking

/// What a device may ask for about journeys and paths.
public enum JourneyCommand: AreaCommand {
    /// Without a destination: the person says that they are all right until then.
    case start(GroupSelection, Destination?, eta: Timestamp)
    case extend(eta: Timestamp)
    /// Nil: for all groups that follow it.
    case stop(GroupSelection?)
    case path(PathRequest)

    public struct PathRequest: Sendable {
        public enum Format: String, Sendable {
            case geojson
            case gpx
        }

        public let group: GroupKey
        public let user: Name
        public let format: Format
        /// Nil: from the first point.
        public let cursor: PathCursor?
    }

    /// The longest journey: nobody means an arrival further ahead than this.
    public static let maximumDuration = Duration.seconds(30 * 86_400)
    /// Metres.
    public static let radiusRange = 1.0...100_000.0

    static func start(_ fields: inout Fields, at now: Timestamp) -> JourneyCommand? {
        let eta = fields.time("eta")
        if let eta, eta <= now { fields.refuse("eta", "must be in the future") }
        if let eta, eta > now + maximumDuration { fields.refuse("eta", "is too far away") }
        if fields.bool(ifPresent: "extend") == true { return eta.map { .extend(eta: $0) } }
        let groups = fields.groups()
        let destination =
            fields["destination"] == nil
            ? nil : fields.nested("destination") { fields in fields.destination() }
        guard let groups, let eta else { return nil }
        return .start(groups, destination, eta: eta)
    }

    static func stop(_ fields: inout Fields) -> JourneyCommand? {
        if fields["groups"] == nil { return .stop(nil) }
        return fields.groups().map { .stop($0) }
    }

    static func path(_ fields: inout Fields) -> JourneyCommand? {
        let (group, user) = (fields.group(), fields.name("user"))
        let format = fields.string(ifPresent: "format") ?? "geojson"
        // Cursors used to be counts of points: 0 still means the beginning.
        let text = fields.string(ifPresent: "cursor") ?? "0"
        let known = PathRequest.Format(rawValue: format)
        if known == nil { fields.refuse("format", "must be geojson or gpx") }
        let cursor = PathCursor(text)
        if cursor == nil, text != "0" {
            fields.refuse("cursor", "was not issued by this service")
        }
        guard let group, let user, let known else { return nil }
        return .path(PathRequest(group: group, user: user, format: known, cursor: cursor))
    }
}

extension Fields {
    fileprivate mutating func destination() -> Destination? {
        let latitude = number("latitude", in: -90...90)
        let longitude = number("longitude", in: -180...180)
        let name = self["name"] == nil ? nil : displayName("name")?.text
        let radius = number(ifPresent: "radius", in: JourneyCommand.radiusRange)
        guard let latitude, let longitude,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Destination(coordinate: coordinate, name: name, radius: radius)
    }
}

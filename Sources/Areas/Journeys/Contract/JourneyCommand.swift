public import Tracking

/// A device's requests about journeys and paths.
public enum JourneyCommand: AreaCommand {
    /// Without a destination it is a check-in: the person will report by then that they are all
    /// right.
    case start(GroupSelection, Destination?, eta: Timestamp)
    case extend(eta: Timestamp)
    /// Nil for all groups that follow it.
    case stop(GroupSelection?)
    case path(PathRequest)

    public struct PathRequest: Sendable {
        public enum Format: String, Sendable, CaseIterable {
            case geojson
            case gpx
        }

        public let group: GroupKey
        public let user: Name
        public let format: Format
        /// Nil for the first point.
        public let cursor: PathCursor?
    }

    /// The maximum time until the planned arrival.
    public static let maximumDuration = Duration.seconds(30 * 86_400)
    /// Metres.
    public static let radiusRange = 1.0...100_000.0

    private static let eta = Form(
        "eta",
        .time.checked { eta, circumstances in
            if eta <= circumstances.now { return "must be in the future" }
            return eta > circumstances.now + maximumDuration ? "is too far away" : nil
        })

    static let departure: Form<JourneyCommand> = .either(
        Form(
            Form("groups", .selection), Form("destination", .destination).ifPresent, eta
        ) { .start($0, $1, eta: $2) },
        Form(Form.isTrue("extend"), eta) { _, eta in .extend(eta: eta) })
}

extension JourneyCommand.PathRequest {
    static let form = Form(
        Form.group, Form("user", .name),
        Form("format", .choice(of: Format.self), "default `geojson`").or(.geojson),
        Form("cursor", .pathCursor).or(nil)
    ) { group, user, format, cursor in
        JourneyCommand.path(
            JourneyCommand.PathRequest(group: group, user: user, format: format, cursor: cursor))
    }
}

extension Kind where Value == Destination {
    fileprivate static let destination = Kind.object(
        Form(
            Form.coordinate, Form("name", .displayName).ifPresent,
            Form("radius", .number(JourneyCommand.radiusRange), "metres").ifPresent
        ) { Destination(coordinate: $0, name: $1?.text, radius: $2) })
}

extension Kind where Value == PathCursor? {
    /// Cursors used to be point counts: 0 still means the beginning.
    fileprivate static let pathCursor = Kind.text(orRefuse: "was not issued by this service") {
        $0 == "0" ? .some(nil) : PathCursor($0).map { .some($0) }
    }
}

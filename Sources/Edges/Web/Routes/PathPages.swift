internal import Contract
internal import JSON
internal import Tracking

/// A member's path, read page by page with `path.get`.
struct PathPages: Sendable {
    private let gateway: RequestGateway
    private let visitor: Visitor
    private let group: GroupKey
    let user: Name
    private var cursor: JSONValue? = .null

    struct Page: Sendable {
        var name = ""
        var mode: Path.Mode?
        var startedAt: Timestamp?
        var points: [Path.Point] = []
    }

    /// Whether there is another page.
    var hasMore: Bool { cursor != nil }

    init(_ gateway: RequestGateway, _ visitor: Visitor, _ group: GroupKey, _ user: Name) {
        self.gateway = gateway
        self.visitor = visitor
        self.group = group
        self.user = user
    }

    /// Nil after the last page.
    mutating func next() async throws(Refusal) -> Page? {
        guard let cursor else { return nil }
        var members: [JSONValue.Member] = [
            .init(key: "group", value: .string(group.text)),
            .init(key: "user", value: .string(user.text)),
            .init(key: "format", value: .string("geojson")),
        ]
        if cursor != .null { members.append(.init(key: "cursor", value: cursor)) }
        let result = try await gateway.ask(visitor, "path.get", .object(members))
        let next = result["next"] ?? .null
        self.cursor = next == .null ? nil : next
        return Page(result["path"] ?? .null)
    }
}

extension PathPages.Page {
    /// - Parameter feature: in the format of ``PathDocument/geoJSON``.
    fileprivate init(_ feature: JSONValue) {
        let properties = feature["properties"] ?? .null
        if case .string(let text) = properties["name"] { name = text }
        if case .string(let text) = properties["mode"] { mode = Path.Mode(rawValue: text) }
        if case .string(let text) = properties["startedAt"] { startedAt = Timestamp(rfc3339: text) }
        var positions = feature["geometry"]?["coordinates"]?.elements ?? []
        var times = properties["times"]?.elements ?? []
        // A path may also be a Point or several lines.
        switch feature["geometry"]?["type"] {
        case .string("Point"): positions = [.array(positions)]
        case .string("MultiLineString"):
            positions = positions.flatMap(\.elements)
            times = times.flatMap(\.elements)
        default: break
        }
        points = zip(positions, times).compactMap { position, time in
            guard case .array(let numbers) = position, numbers.count >= 2,
                case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1],
                let coordinate = Coordinate(latitude: latitude, longitude: longitude),
                let time = time.integer
            else { return nil }
            return Path.Point(coordinate: coordinate, takenAt: Timestamp(milliseconds: time))
        }
    }
}

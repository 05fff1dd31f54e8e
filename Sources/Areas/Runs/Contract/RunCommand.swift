internal import JSON
public import Racing
public import Tracking

/// What may be asked for about runs.
public enum RunCommand: AreaCommand {
    /// - Parameter name: as which others see the organiser.
    case organise(name: DisplayName)
    case create(NewRun)
    case cancel(Name)
    case list(RunQuery)
    case get(Name)
    /// - Parameter name: as which spectators see the participant; nil: as friends do.
    case enrol(Name, name: DisplayName?, showsHeartRate: Bool)
    case withdraw(Name)

    public struct NewRun: Sendable {
        public let name: DisplayName
        public let place: Run.Place
        public let course: Course
        public let startsAt: Timestamp
        public let enrolmentClosesAt: Timestamp
        public let endsAt: Timestamp
        public let maximum: Int?
    }

    static func organise(_ fields: inout Fields) -> RunCommand? {
        let name = fields.displayName("name")
        if fields.bool(ifPresent: "acceptTerms") != true {
            fields.refuse("acceptTerms", "must be true")
            return nil
        }
        return name.map { .organise(name: $0) }
    }

    static func create(_ fields: inout Fields, at now: Timestamp) -> RunCommand? {
        let name = fields.displayName("name")
        let place = fields.nested("place") { $0.runPlace() }
        let points = fields.nested("course") { $0.lineString() }
        let laps = fields.integer(ifPresent: "laps", in: 1...Int64(Course.maximumLaps))
        let checkpoints = fields.checkpoints()
        let startsAt = fields.time("startsAt")
        let closesAt = fields.time("enrolmentClosesAt")
        let endsAt = fields["endsAt"] == nil ? nil : fields.time("endsAt")
        let maximum = fields.integer(ifPresent: "maxParticipants", in: 1...mostParticipants)
        if let startsAt {
            if startsAt <= now || startsAt > now + mostAhead {
                fields.refuse("startsAt", "must be to come, within two years")
            }
            if let closesAt, closesAt > startsAt {
                fields.refuse("enrolmentClosesAt", "must not be after the start")
            }
            if let endsAt, endsAt <= startsAt || endsAt > startsAt + Run.longest {
                fields.refuse("endsAt", "must be after the start, within seven days")
            }
        }
        guard let course = fields.course(points, laps: Int(laps ?? 1), checkpoints), let name,
            let place, let startsAt, let closesAt
        else { return nil }
        return .create(
            NewRun(
                name: name, place: place, course: course, startsAt: startsAt,
                enrolmentClosesAt: closesAt, endsAt: endsAt ?? startsAt + Run.usualLength,
                maximum: maximum.map { Int($0) }))
    }

    static func enrol(_ fields: inout Fields) -> RunCommand? {
        let run = fields.name("run")
        let name = fields["name"] == nil ? nil : fields.displayName("name")
        let showsHeartRate = fields.bool(ifPresent: "showHeartRate") ?? false
        return run.map { .enrol($0, name: name, showsHeartRate: showsHeartRate) }
    }

    public static let mostParticipants: Int64 = 10_000
    private static let mostAhead = Duration.seconds(2 * 366 * 86_400)
}

/// Which runs somebody looks for.
public struct RunQuery: Sendable {
    /// A part of the name, or the whole identifier.
    public let search: String?
    public let near: Near?
    /// Of their starts.
    public let from: Timestamp?
    public let to: Timestamp?
    /// What `next` of the page before was.
    public let after: String?

    public struct Near: Sendable {
        public let coordinate: Coordinate
        /// In metres.
        public let radius: Double
    }

    public static let radius = 100.0...500_000

    init?(_ fields: inout Fields) {
        search = fields["search"] == nil ? nil : fields.displayName("search")?.text
        near =
            fields["near"] == nil
            ? nil
            : fields.nested("near") { fields -> Near? in
                let coordinate = fields.runCoordinate()
                let radius = fields.number("radius", in: RunQuery.radius)
                return coordinate.flatMap { coordinate in
                    radius.map { Near(coordinate: coordinate, radius: $0) }
                }
            }
        from = fields.time(ifPresent: "from")
        to = fields.time(ifPresent: "to")
        after = fields.string(ifPresent: "after")
    }
}

extension Fields {
    fileprivate mutating func runCoordinate() -> Coordinate? {
        let latitude = number("latitude", in: -90...90)
        let longitude = number("longitude", in: -180...180)
        guard let latitude, let longitude else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    fileprivate mutating func runPlace() -> Run.Place? {
        let name = displayName("name")?.text
        guard let coordinate = runCoordinate(), let name else { return nil }
        return Run.Place(name: name, coordinate: coordinate)
    }

    /// A line of GeoJSON (RFC 7946, 3.1.4).
    fileprivate mutating func lineString() -> [Coordinate]? {
        if let type = string("type"), type != "LineString" {
            refuse("type", "must be LineString")
        }
        guard case .array(let positions)? = self["coordinates"],
            (2...Run.maximumPoints).contains(positions.count)
        else {
            refuse("coordinates", "must be 2 to \(Run.maximumPoints) positions")
            return nil
        }
        let points = positions.compactMap { position -> Coordinate? in
            guard case .array(let numbers) = position, numbers.count >= 2,
                case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1]
            else { return nil }
            return Coordinate(latitude: latitude, longitude: longitude)
        }
        guard points.count == positions.count else {
            refuse("coordinates", "must be positions of longitude and latitude")
            return nil
        }
        return points
    }

    fileprivate mutating func checkpoints() -> [Double] {
        guard let value = self["checkpoints"] else { return [] }
        guard case .array(let values) = value, values.count <= Course.maximumCheckpoints else {
            refuse("checkpoints", "must be at most \(Course.maximumCheckpoints) numbers")
            return []
        }
        let metres = values.compactMap { value -> Double? in
            if case .number(let metres) = value { metres } else { nil }
        }
        if metres.count < values.count { refuse("checkpoints", "must be numbers of metres") }
        return metres
    }

    fileprivate mutating func course(
        _ points: [Coordinate]?, laps: Int, _ checkpoints: [Double]
    ) -> Course? {
        guard let points else { return nil }
        do throws(Course.Invalid) {
            return try Course(points, laps: laps, checkpoints: checkpoints)
        } catch {
            switch error {
            case .pointCount: refuse("course", "must have two different points")
            case .length: refuse("course", "must be 100 m to 500 km long, each lap")
            case .lapCount: refuse("laps", "must be 1 to \(Course.maximumLaps)")
            case .checkpoints:
                refuse("checkpoints", "must be metres from the start, ascending, on the course")
            }
            return nil
        }
    }
}

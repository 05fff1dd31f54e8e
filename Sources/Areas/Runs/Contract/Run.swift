internal import JSON
internal import Numbers
public import Racing
public import Tracking

/// A run as everyone may see it (contract, section 5).
public struct Run: Sendable {
    /// The identifier by which spectators find it.
    public let id: Name
    public let name: String
    public let organiser: String
    public let place: Place
    public let course: Course
    /// The elevations of its points, in metres above sea level; empty if unknown.
    public let elevations: [Int]
    public let startsAt: Timestamp
    public let enrolmentClosesAt: Timestamp
    /// Its latest end.
    public var endsAt: Timestamp
    /// Nil for no limit.
    public let maximum: Int?
    /// The time by which finishers are ranked.
    public let ranking: RaceClock.Ranking

    /// Its location, as people search for it.
    public struct Place: Hashable, Sendable {
        public let name: String
        public let coordinate: Coordinate

        public init(name: String, coordinate: Coordinate) {
            (self.name, self.coordinate) = (name, coordinate)
        }
    }

    public enum Status: String, Hashable, Sendable, CaseIterable {
        case announced, on, over, cancelled
    }

    public var clock: RaceClock { RaceClock(ranking, gun: startsAt) }

    /// Returns its status at a time, unless it is cancelled.
    public func status(at now: Timestamp) -> Status {
        now < startsAt ? .announced : now < endsAt ? .on : .over
    }

    public init(
        id: Name, name: String, organiser: String, place: Place, course: Course,
        elevations: [Int], startsAt: Timestamp, enrolmentClosesAt: Timestamp,
        endsAt: Timestamp, maximum: Int?, ranking: RaceClock.Ranking = .own
    ) {
        (self.id, self.name, self.organiser, self.place) = (id, name, organiser, place)
        (self.course, self.startsAt, self.endsAt) = (course, startsAt, endsAt)
        (self.enrolmentClosesAt, self.maximum) = (enrolmentClosesAt, maximum)
        self.ranking = ranking
        self.elevations = elevations.count == course.points.count ? elevations : []
    }

    /// The maximum number of course points, which fit into one message.
    public static let maximumPoints = 2_000
    public static let mostParticipants: Int64 = 10_000
    /// Metres above sea level.
    public static let elevations = -500.0...9_000
    /// The time after its end for which late positions still count, and errors in the course can be
    /// corrected.
    public static let settling = Duration.seconds(86_400)
    /// Once people have enrolled, the maximum distance in metres of the course, and the maximum
    /// shift of the time, from what they were, unless participants have ``notice`` to withdraw.
    public static let correction = 250.0
    public static let shift = Duration.seconds(2 * 3_600)
    public static let notice = Duration.seconds(86_400)
    /// The time before its start at which participants are reminded.
    public static let reminder = Duration.seconds(3_600)
    public static let longest = Duration.seconds(7 * 86_400)
    /// The default length.
    public static let usualLength = Duration.seconds(12 * 3_600)
}

extension Run {
    /// - `enrolled`: the number of participants.
    /// - `withCourse`: whether to include all course points.
    public typealias Shown = (run: Run, status: Status, enrolled: Int, withCourse: Bool)

    public static let payload = Payload<Shown>(
        "Run",
        .init("run", .name) { $0.run.id },
        .init("name", .text) { $0.run.name },
        .init("organiser", .text) { $0.run.organiser },
        .init(
            "place",
            .object(.init("name", .text) { $0.name }, .coordinate { $0.coordinate })
        ) { $0.run.place },
        .init("status", .choice) { $0.status },
        .init("startsAt", .time) { $0.run.startsAt },
        .init("enrolmentClosesAt", .time) { $0.run.enrolmentClosesAt },
        .init("endsAt", .time) { $0.run.endsAt },
        .init("maxParticipants", .integer(1...Int(mostParticipants))) { $0.run.maximum },
        .init("enrolled", .count) { $0.enrolled },
        .init("rankedBy", .choice) { $0.run.ranking },
        .init("distance", .count, "metres") { Int(clamping: $0.run.course.length.rounded()) },
        .init("laps", .integer(1...Course.maximumLaps)) { $0.run.course.laps },
        .init("checkpoints", .list(of: .count), "metres from the start of each lap") {
            guard $0.withCourse else { return nil }
            return $0.run.course.checkpoints.map { Int(clamping: $0.rounded()) }
        },
        .init("course", .line) { $0.withCourse ? $0.run : nil })
}

extension WrittenKind where Value == Run {
    /// The course as a LineString of GeoJSON.
    fileprivate static let line = object(
        .init("type", .choice(of: ["LineString"])) { _ in "LineString" },
        .init("coordinates", .positions) { $0 })

    private static let positions = WrittenKind(
        .array(of: .array(of: .number(-.infinity ... .infinity)))
    ) { run, json in
        json.array(run.course.points.enumerated()) { json, item in
            let (index, point) = item
            json.array { json in
                json.degrees(e7: point.longitudeE7)
                json.degrees(e7: point.latitudeE7)
                if !run.elevations.isEmpty { json.number(run.elevations[index]) }
            }
        }
    }
}

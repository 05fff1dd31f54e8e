public import JSON
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

    public enum Status: String, Hashable, Sendable {
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

extension JSONWriter {
    /// - Parameters:
    ///   - enrolled: the number of participants.
    ///   - withCourse: whether to include all course points.
    public mutating func run(
        _ run: Run, _ status: Run.Status, enrolled: Int, withCourse: Bool
    ) {
        member("run", run.id.text)
        member("name", run.name)
        member("organiser", run.organiser)
        key("place")
        object { json in
            json.member("name", run.place.name)
            json.coordinate(run.place.coordinate)
        }
        member("status", status.rawValue)
        member("startsAt", run.startsAt)
        member("enrolmentClosesAt", run.enrolmentClosesAt)
        member("endsAt", run.endsAt)
        if let maximum = run.maximum { member("maxParticipants", maximum) }
        member("enrolled", enrolled)
        member("rankedBy", run.ranking.rawValue)
        member("distance", Int(clamping: run.course.length.rounded()))
        member("laps", run.course.laps)
        guard withCourse else { return }
        key("checkpoints")
        array(run.course.checkpoints) { $0.number(Int(clamping: $1.rounded())) }
        key("course")
        object { json in
            json.member("type", "LineString")
            json.key("coordinates")
            json.array(run.course.points.enumerated()) { json, item in
                let (index, point) = item
                var text = JSONWriter()
                text.array([point.longitudeE7, point.latitudeE7]) { $0.degrees(e7: $1) }
                guard !run.elevations.isEmpty else { return json.raw(text.bytes) }
                json.raw(text.bytes.dropLast() + Array(",\(run.elevations[index])]".utf8))
            }
        }
    }
}

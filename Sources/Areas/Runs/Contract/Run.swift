public import JSON
internal import Numbers
public import Racing
public import Tracking

/// A run as everybody may see it (contract, section 5).
public struct Run: Sendable {
    /// By which spectators find it.
    public let id: Name
    public let name: String
    public let organiser: String
    public let place: Place
    public let course: Course
    /// Of its points, in metres above the sea; empty if they are not known.
    public let elevations: [Int]
    public let startsAt: Timestamp
    public let enrolmentClosesAt: Timestamp
    /// When it is over at the latest.
    public var endsAt: Timestamp
    /// Nil: as many as like.
    public let maximum: Int?
    /// By which time those are ranked who have finished.
    public let ranking: RaceClock.Ranking

    /// Where it is, as people look for it.
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

    /// What it is at a time, unless it is cancelled.
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

    /// Points of a course that can be told in one message.
    public static let maximumPoints = 2_000
    public static let mostParticipants: Int64 = 10_000
    /// Metres above the sea.
    public static let elevations = -500.0...9_000
    /// So long after its end late positions still count, and what is wrong with the course can be
    /// corrected.
    public static let settling = Duration.seconds(86_400)
    /// Once people have enrolled, its course stays within so many metres of what it was, and its time within
    /// so long, unless they have ``notice`` to withdraw.
    public static let correction = 250.0
    public static let shift = Duration.seconds(2 * 3_600)
    public static let notice = Duration.seconds(86_400)
    /// So long before its start everybody who takes part is told.
    public static let reminder = Duration.seconds(3_600)
    public static let longest = Duration.seconds(7 * 86_400)
    /// So long after its start it is over, unless its organiser says otherwise.
    public static let usualLength = Duration.seconds(12 * 3_600)
}

extension JSONWriter {
    /// - Parameters:
    ///   - enrolled: how many.
    ///   - withCourse: whether with all its points.
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

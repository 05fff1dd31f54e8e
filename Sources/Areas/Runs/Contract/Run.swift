public import JSON
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
    public let startsAt: Timestamp
    public let enrolmentClosesAt: Timestamp
    /// When it is over at the latest.
    public let endsAt: Timestamp
    /// Nil: as many as like.
    public let maximum: Int?

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

    /// What it is at a time, unless it is cancelled.
    public func status(at now: Timestamp) -> Status {
        now < startsAt ? .announced : now < endsAt ? .on : .over
    }

    public init(
        id: Name, name: String, organiser: String, place: Place, course: Course,
        startsAt: Timestamp, enrolmentClosesAt: Timestamp, endsAt: Timestamp, maximum: Int?
    ) {
        (self.id, self.name, self.organiser, self.place) = (id, name, organiser, place)
        (self.course, self.startsAt, self.endsAt) = (course, startsAt, endsAt)
        (self.enrolmentClosesAt, self.maximum) = (enrolmentClosesAt, maximum)
    }

    /// Points of a course that can be told in one message.
    public static let maximumPoints = 2_000
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
            json.key("latitude")
            json.degrees(e7: run.place.coordinate.latitudeE7)
            json.key("longitude")
            json.degrees(e7: run.place.coordinate.longitudeE7)
        }
        member("status", status.rawValue)
        member("startsAt", run.startsAt)
        member("enrolmentClosesAt", run.enrolmentClosesAt)
        member("endsAt", run.endsAt)
        if let maximum = run.maximum { member("maxParticipants", maximum) }
        member("enrolled", enrolled)
        member("distance", Int(run.course.length.rounded()))
        member("laps", run.course.laps)
        guard withCourse else { return }
        key("checkpoints")
        array(run.course.checkpoints) { $0.number(Int($1.rounded())) }
        key("course")
        object { json in
            json.member("type", "LineString")
            json.key("coordinates")
            json.array(run.course.points) { json, point in
                json.array([point.longitudeE7, point.latitudeE7]) { $0.degrees(e7: $1) }
            }
        }
    }
}

internal import JSON
internal import Numbers
public import Racing
public import Tracking

/// What an organiser says of a run.
public struct RunDetails: Sendable {
    public var name: String?
    public var place: Run.Place?
    public var line: Line?
    public var laps: Int?
    public var checkpoints: [Double]?
    public var startsAt: Timestamp?
    public var enrolmentClosesAt: Timestamp?
    public var endsAt: Timestamp?
    public var maximum: Int?
    public var ranking: RaceClock.Ranking?

    /// The course without its laps.
    public struct Line: Sendable {
        public let points: [Coordinate]
        /// Of the points, in metres above the sea; empty if they are not known.
        public let elevations: [Int]
    }

    /// Nothing may be changed but this, once the run has begun.
    public var isCorrection: Bool {
        name == nil && place == nil && startsAt == nil && enrolmentClosesAt == nil && maximum == nil
            && endsAt == nil && ranking == nil
    }

    /// - Parameters:
    ///   - old: as the run was; what is not said stays. Nil: it is new.
    /// - Throws: everything that is wrong.
    public func run(_ id: Name, of organiser: String, after old: Run?, at now: Timestamp)
        throws(Problem) -> Run
    {
        var errors: [Problem.FieldError] = []
        let course = course(after: old, &errors)
        guard let course, errors.isEmpty, let name = name ?? old?.name,
            let place = place ?? old?.place, let startsAt = startsAt ?? old?.startsAt,
            let closesAt = enrolmentClosesAt ?? old?.enrolmentClosesAt
        else { throw Problem(invalid: errors) }
        let end = end(of: startsAt, after: old)
        let isOtherTime = self.startsAt != nil || endsAt != nil
        errors += RunDetails.errors(
            startsAt, closesAt, isOtherTime ? end : nil, at: now,
            isNewStart: self.startsAt != nil,
            isNewClosing: enrolmentClosesAt.map { $0 != old?.enrolmentClosesAt } ?? false)
        guard errors.isEmpty else { throw Problem(invalid: errors) }
        let elevations = line.map { line in
            let isClosed = line.elevations.count == course.points.count - 1
            return isClosed ? line.elevations + line.elevations.prefix(1) : line.elevations
        }
        return Run(
            id: id, name: name, organiser: organiser, place: place, course: course,
            elevations: elevations ?? old?.elevations ?? [], startsAt: startsAt,
            enrolmentClosesAt: closesAt, endsAt: end, maximum: maximum ?? old?.maximum,
            ranking: ranking ?? old?.ranking ?? .own)
    }

    /// When it ends. An end that is not said moves with the start, so that the run is as long as before.
    private func end(of startsAt: Timestamp, after old: Run?) -> Timestamp {
        if let endsAt { return endsAt }
        guard let old else { return startsAt + Run.usualLength }
        return old.endsAt + (startsAt - old.startsAt)
    }

    /// - Parameters:
    ///   - endsAt: nil if it is not checked.
    ///   - isNewStart: otherwise it may have begun.
    ///   - isNewClosing: otherwise enrolment may have been closed.
    static func errors(
        _ startsAt: Timestamp?, _ closesAt: Timestamp?, _ endsAt: Timestamp?, at now: Timestamp,
        isNewStart: Bool = true, isNewClosing: Bool = true
    ) -> [Problem.FieldError] {
        var errors: [Problem.FieldError] = []
        if isNewStart, let startsAt, startsAt <= now || startsAt > now + mostAhead {
            errors.append(
                .init(field: "startsAt", reason: "must be in the future, within two years"))
        }
        if let closesAt, let startsAt, closesAt > startsAt {
            errors.append(
                .init(field: "enrolmentClosesAt", reason: "must not be after the start"))
        } else if isNewClosing, let closesAt, closesAt < now {
            errors.append(.init(field: "enrolmentClosesAt", reason: "must not be in the past"))
        }
        if let endsAt, let startsAt, endsAt <= startsAt || endsAt > startsAt + Run.longest {
            errors.append(
                .init(field: "endsAt", reason: "must be after the start, within seven days"))
        }
        return errors
    }

    private static let mostAhead = Duration.seconds(2 * 366 * 86_400)

    /// Whoever sends the usual ones of the old course back with a new course has chosen none.
    private func chosenCheckpoints(after old: Run?) -> [Double] {
        guard let old, let checkpoints else {
            return checkpoints ?? old?.course.chosenCheckpoints ?? []
        }
        let known = old.course.checkpoints
        let isSentBack =
            old.course.chosenCheckpoints.isEmpty && checkpoints.count == known.count
            && zip(checkpoints, known).allSatisfy { abs($0 - $1) <= 1 }
        return isSentBack ? [] : checkpoints
    }

    /// The same line, or a new one, with as many laps.
    func course(after old: Run?, _ errors: inout [Problem.FieldError]) -> Course? {
        guard let points = line?.points ?? old?.course.points else { return nil }
        func refuse(_ field: String, _ reason: String) {
            errors.append(.init(field: field, reason: reason))
        }
        do throws(Course.Invalid) {
            return try Course(
                points, laps: laps ?? old?.course.laps ?? 1,
                checkpoints: chosenCheckpoints(after: old))
        } catch {
            switch error {
            case .pointCount: refuse("course", "must have two different points")
            case .length: refuse("course", "must be 100 m to 500 km long, each lap")
            case .lapCount: refuse("laps", "must be 1 to \(Course.maximumLaps)")
            case .open:
                let metres = Int(clamping: Course.lapGap)
                refuse(
                    "laps",
                    "must be 1 on a course that does not end within \(metres) m of its start")
            case .segmentCount(let mostLaps):
                refuse("laps", "must be 1 to \(mostLaps) on a course of so many points")
            case .checkpoints:
                refuse("checkpoints", "must be metres from the start, ascending, on the course")
            }
            return nil
        }
    }
}

extension Fields {
    /// - Parameter isWhole: whether everything has to be there that a run needs.
    mutating func runDetails(isWhole: Bool) -> RunDetails {
        func isMeant(_ field: String) -> Bool { isWhole || self[field] != nil }
        var details = RunDetails()
        if isMeant("name") { details.name = displayName("name")?.text }
        if isMeant("place") { details.place = nested("place") { $0.runPlace() } }
        if isMeant("course") { details.line = nested("course") { $0.lineString() } }
        details.laps = integer(ifPresent: "laps", in: 1...Int64(Course.maximumLaps)).map { Int($0) }
        details.checkpoints = checkpoints()
        if isMeant("startsAt") { details.startsAt = time("startsAt") }
        if isMeant("enrolmentClosesAt") { details.enrolmentClosesAt = time("enrolmentClosesAt") }
        details.endsAt = time(ifPresent: "endsAt")
        details.maximum = integer(ifPresent: "maxParticipants", in: 1...Run.mostParticipants)
            .map { Int($0) }
        if let text = string(ifPresent: "rankedBy") {
            details.ranking = RaceClock.Ranking(rawValue: text)
            if details.ranking == nil { refuse("rankedBy", "must be own or gun") }
        }
        return details
    }

    private mutating func runPlace() -> Run.Place? {
        let name = displayName("name")?.text
        guard let coordinate = coordinate(), let name else { return nil }
        return Run.Place(name: name, coordinate: coordinate)
    }

    /// A line of GeoJSON (RFC 7946, 3.1.4), without points that are the same as the one before.
    private mutating func lineString() -> RunDetails.Line? {
        if let type = string("type"), type != "LineString" {
            refuse("type", "must be LineString")
        }
        guard case .array(let positions)? = self["coordinates"],
            (2...Run.maximumPoints).contains(positions.count)
        else {
            refuse("coordinates", "must be 2 to \(Run.maximumPoints) positions")
            return nil
        }
        var (points, elevations): ([Coordinate], [Int]) = ([], [])
        for position in positions {
            guard case .array(let numbers) = position, numbers.count >= 2,
                case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1],
                let point = Coordinate(latitude: latitude, longitude: longitude)
            else {
                refuse("coordinates", "must be positions of longitude and latitude")
                return nil
            }
            guard point != points.last else { continue }
            points.append(point)
            if numbers.count > 2, case .number(let elevation) = numbers[2],
                Run.elevations.contains(elevation)
            {
                elevations.append(Int(clamping: elevation.rounded()))
            }
        }
        return .init(
            points: points, elevations: elevations.count == points.count ? elevations : [])
    }

    private mutating func checkpoints() -> [Double]? {
        guard let value = self["checkpoints"] else { return nil }
        guard case .array(let values) = value, values.count <= Course.maximumCheckpoints else {
            refuse("checkpoints", "must be at most \(Course.maximumCheckpoints) numbers")
            return nil
        }
        let metres = values.compactMap { value -> Double? in
            if case .number(let metres) = value { metres } else { nil }
        }
        if metres.count < values.count { refuse("checkpoints", "must be numbers of metres") }
        return metres
    }
}

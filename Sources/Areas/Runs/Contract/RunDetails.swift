internal import JSON
internal import Numbers
public import Racing
public import Tracking

/// The details of a run in a request.
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
        /// The elevations of the points, in metres above sea level; empty if unknown.
        public let elevations: [Int]
    }

    /// Whether only the course is changed, as is allowed once the run has begun.
    public var isCorrection: Bool {
        name == nil && place == nil && startsAt == nil && enrolmentClosesAt == nil && maximum == nil
            && endsAt == nil && ranking == nil
    }

    /// - Parameters:
    ///   - old: the previous run, whose values are kept where not given; nil for a new run.
    /// - Throws: all errors.
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

    /// Returns the end. Without a given end it moves with the start, so that the length stays the
    /// same.
    private func end(of startsAt: Timestamp, after old: Run?) -> Timestamp {
        if let endsAt { return endsAt }
        guard let old else { return startsAt + Run.usualLength }
        return old.endsAt + (startsAt - old.startsAt)
    }

    /// - Parameters:
    ///   - endsAt: nil to skip its check.
    ///   - isNewStart: false if the run may have begun.
    ///   - isNewClosing: false if enrolment may have been closed.
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

    /// Returns the chosen checkpoints. The old course's default ones, sent back with a new course,
    /// do not count as chosen.
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

    /// Returns a course with the same line or a new one, and the same number of laps unless given.
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
            case .length: refuse("course", "must have laps of 100 m to 500 km")
            case .lapCount: refuse("laps", "must be 1 to \(Course.maximumLaps)")
            case .open:
                let metres = Int(clamping: Course.lapGap)
                refuse(
                    "laps",
                    "must be 1 on a course that does not end within \(metres) m of its start")
            case .segmentCount(let mostLaps):
                refuse("laps", "must be 1 to \(mostLaps) on a course with that many points")
            case .checkpoints:
                refuse("checkpoints", "must be metres from the start, ascending, on the course")
            }
            return nil
        }
    }
}

extension RunDetails {
    private static let name = Form("name", .displayName)
    private static let place = Form(
        "place", .object(Form(name, Form.coordinate) { Run.Place(name: $0.text, coordinate: $1) }))
    private static let course = Form(
        "course", .object(Line.form),
        "a LineString of GeoJSON, at most 50,000 positions in all `laps` together")
    private static let startsAt = Form("startsAt", .time)
    private static let closesAt = Form("enrolmentClosesAt", .time)
    private static let endsAt = Form("endsAt", .time).ifPresent
    private static let maximum =
        Form("maxParticipants", .integer(1...Int(Run.mostParticipants))).ifPresent
    private static let laps = Form(
        "laps", .integer(1...Course.maximumLaps),
        "of a course that ends within 50 m of its start"
    ).ifPresent
    private static let checkpoints = Form(
        "checkpoints", .checkpoints,
        "metres from the start of each lap that every runner must pass; a closed course without "
            + "any has three in each lap"
    ).ifPresent
    private static let ranking = Form(
        "rankedBy", .choice(of: RaceClock.Ranking.self),
        "the time since each crossed the start line, or since the start of the run"
    ).ifPresent

    /// A struct: as a tuple it crashes the compiler (Swift 6.3.1).
    private struct Times {
        let starts: Timestamp
        let closes: Timestamp
        let ends: Timestamp?
    }

    private static let times = Form(startsAt, closesAt, endsAt) {
        Times(starts: $0, closes: $1, ends: $2)
    }
    .reading { times, fields, circumstances in
        let errors = errors(times.starts, times.closes, times.ends, at: circumstances.now)
        for error in errors { fields.refuse(error.field, error.reason) }
        return errors.isEmpty ? times : nil
    }

    /// All fields that a run needs.
    static let whole = Form(name, place, course, times, maximum, laps, checkpoints, ranking) {
        name, place, line, times, maximum, laps, checkpoints, ranking in
        RunDetails(
            name: name.text, place: place, line: line, laps: laps, checkpoints: checkpoints,
            startsAt: times.starts, enrolmentClosesAt: times.closes, endsAt: times.ends,
            maximum: maximum, ranking: ranking)
    }

    /// The fields to change.
    static let part = Form(
        name.ifPresent, place.ifPresent, course.ifPresent, startsAt.ifPresent,
        closesAt.ifPresent, endsAt, maximum, laps, checkpoints, ranking
    ) { name, place, line, startsAt, closesAt, endsAt, maximum, laps, checkpoints, ranking in
        RunDetails(
            name: name?.text, place: place, line: line, laps: laps, checkpoints: checkpoints,
            startsAt: startsAt, enrolmentClosesAt: closesAt, endsAt: endsAt, maximum: maximum,
            ranking: ranking)
    }
}

extension RunDetails.Line {
    private enum GeometryType: String, CaseIterable {
        case line = "LineString"
    }

    /// A line of GeoJSON (RFC 7946, 3.1.4).
    fileprivate static let form = Form(
        Form("type", .choice(of: GeometryType.self)),
        Form(
            "coordinates", .positions,
            "2 to \(Run.maximumPoints) positions, each with its longitude, latitude and, where "
                + "known, metres above the sea")
    ) { $1 }
}

extension Kind where Value == RunDetails.Line {
    /// Without consecutive duplicates.
    fileprivate static let positions = Kind(.array(of: .rule("longitude and latitude"))) {
        value, field, fields, _ in
        guard case .array(let positions) = value,
            (2...Run.maximumPoints).contains(positions.count)
        else {
            fields.refuse(field, "must be 2 to \(Run.maximumPoints) positions")
            return nil
        }
        var (points, elevations): ([Coordinate], [Int]) = ([], [])
        for position in positions {
            guard case .array(let numbers) = position, numbers.count >= 2,
                case .number(let longitude) = numbers[0], case .number(let latitude) = numbers[1],
                let point = Coordinate(latitude: latitude, longitude: longitude)
            else {
                fields.refuse(field, "must be positions of longitude and latitude")
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
        return RunDetails.Line(
            points: points, elevations: elevations.count == points.count ? elevations : [])
    }
}

extension Kind where Value == [Double] {
    fileprivate static let checkpoints = Kind(
        .array(of: .number(0...Course.lengths.upperBound))
    ) { value, field, fields, _ in
        guard case .array(let values) = value, values.count <= Course.maximumCheckpoints else {
            fields.refuse(field, "must be at most \(Course.maximumCheckpoints) numbers")
            return nil
        }
        let metres = values.compactMap { value -> Double? in
            if case .number(let metres) = value { metres } else { nil }
        }
        if metres.count == values.count { return metres }
        fields.refuse(field, "must be numbers of metres")
        return nil
    }
}

extension RaceClock.Ranking: CaseIterable {
    public static var allCases: [RaceClock.Ranking] { [.own, .gun] }
}

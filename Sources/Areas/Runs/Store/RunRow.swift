public import Contract
internal import JSON
public import Racing
public import Tracking

/// A stored run.
public struct RunRow: Sendable {
    public var run: Run
    public let organiser: UserID
    /// The last bib assigned.
    public var lastBib: Int
    public let createdAt: Timestamp
    /// The published status.
    public var status: Run.Status
    /// Whether it can no longer change.
    public var isClosed = false
    /// The news in delivery to participants, followed by the last bib that received it.
    public var news: News?
    public var toldBib = 0
    /// Whether participants were notified that it is about to start.
    public var isReminded = false
    /// The run that participants have agreed to: its state when they could still withdraw in time.
    public var agreed: Agreed

    public struct Agreed: Sendable {
        public let course: Course
        public let startsAt: Timestamp
        public let endsAt: Timestamp

        public init(_ run: Run) {
            (course, startsAt, endsAt) = (run.course, run.startsAt, run.endsAt)
        }

        init(course: Course, startsAt: Timestamp, endsAt: Timestamp) {
            (self.course, self.startsAt, self.endsAt) = (course, startsAt, endsAt)
        }
    }

    public enum News: String, Hashable, Sendable {
        case starting, changed, cancelled
    }

    public init(
        _ run: Run, of organiser: UserID, lastBib: Int = 0, createdAt: Timestamp,
        status: Run.Status = .announced
    ) {
        (self.run, self.organiser, self.status) = (run, organiser, status)
        (self.lastBib, self.createdAt) = (lastBib, createdAt)
        agreed = Agreed(run)
    }
}

extension RunRow {
    static let record = Record<RunRow>(
        "runs", Column("id", .name, \.run.id), Column("organiser_id", .number, \.organiser),
        Column(
            following: "COALESCE((SELECT name FROM organisers WHERE user_id = organiser_id), '')",
            .text),
        Column("name", .text, \.run.name), Column("place", .text, \.run.place.name),
        Column("latitude_e7", "longitude_e7", type: .coordinate, \.run.place.coordinate),
        Column("course", "laps", "checkpoints", type: .course, \.run.course),
        Column("elevations", .wholeNumbers, \.run.elevations),
        Column("starts_at_ms", .time, \.run.startsAt),
        Column("closes_at_ms", .time, \.run.enrolmentClosesAt),
        Column("ends_at_ms", .time, \.run.endsAt),
        Column("maximum", .null(or: .count), \.run.maximum),
        Column("ranked_by", .word(of: RaceClock.Ranking.self), \.run.ranking),
        Column("last_bib", .count, \.lastBib), Column("created_at_ms", .time, \.createdAt),
        Column("status", .word(of: Run.Status.self), \.status),
        Column("is_closed", .flag, \.isClosed),
        Column("news", .null(or: .word(of: News.self)), \.news),
        Column("told_bib", .count, \.toldBib), Column("is_reminded", .flag, \.isReminded),
        Column(
            "agreed_course", "agreed_starts_at_ms", "agreed_ends_at_ms", type: .null(or: .agreed),
            \.writtenAgreed)
    ) {
        id, organiser, organiserName, name, placeName, coordinate, course, elevations, startsAt,
        closesAt, endsAt, maximum, ranking, lastBib, createdAt, status, isClosed, news, toldBib,
        isReminded, agreed in
        let run = Run(
            id: id, name: name, organiser: organiserName,
            place: .init(name: placeName, coordinate: coordinate), course: course,
            elevations: elevations, startsAt: startsAt, enrolmentClosesAt: closesAt,
            // Earlier versions allowed the start to be moved behind the end.
            endsAt: max(startsAt, endsAt), maximum: maximum, ranking: ranking)
        var row = RunRow(
            run, of: organiser, lastBib: lastBib, createdAt: createdAt, status: status)
        (row.isClosed, row.news, row.toldBib) = (isClosed, news, toldBib)
        row.isReminded = isReminded
        // Runs of earlier versions count as agreed.
        if let agreed { row.agreed = agreed }
        return row
    }

    private var writtenAgreed: Agreed? { agreed }

    /// Returns `[latitude,longitude,latitude,…]`.
    static func text(_ points: [Coordinate]) -> String {
        var json = JSONWriter()
        json.array(points.flatMap { [$0.latitudeE7, $0.longitudeE7] }) { $0.number(Int64($1)) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func text(_ numbers: [Int]) -> String {
        var json = JSONWriter()
        json.array(numbers) { $0.number($1) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    static func text(_ numbers: [Double]) -> String {
        var json = JSONWriter()
        json.array(numbers) { $0.number($1) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    fileprivate static func course(_ line: String, laps: Int, _ checkpoints: String)
        throws(StoreError) -> Course
    {
        let numbers = try wholeNumbers(line)
        var points: [Coordinate] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard
                let point = Coordinate(
                    latitudeE7: numbers[index], longitudeE7: numbers[index + 1])
            else { throw StoreError.damagedDocument }
            points.append(point)
        }
        return try course(points, laps: laps, try self.numbers(checkpoints))
    }

    private static func course(_ points: [Coordinate], laps: Int, _ checkpoints: [Double])
        throws(StoreError) -> Course
    {
        do throws(Course.Invalid) {
            return try Course(points, laps: laps, checkpoints: checkpoints)
        } catch {
            // Earlier versions allowed a line of many points to have more laps.
            guard case .segmentCount(let mostLaps) = error, mostLaps < laps else {
                throw StoreError.damagedDocument
            }
            return try course(points, laps: mostLaps, checkpoints)
        }
    }

    /// - Throws: `damagedDocument` if it contains anything but finite numbers.
    static func numbers(_ text: String) throws(StoreError) -> [Double] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(Array(text.utf8))
        } catch {
            throw StoreError.damagedDocument
        }
        var numbers: [Double] = []
        for element in value.elements {
            guard case .number(let number) = element, number.isFinite else {
                throw StoreError.damagedDocument
            }
            numbers.append(number)
        }
        return numbers
    }

    /// - Throws: `damagedDocument` if it contains anything but whole numbers.
    static func wholeNumbers(_ text: String) throws(StoreError) -> [Int64] {
        var whole: [Int64] = []
        for number in try numbers(text) {
            guard let number = Int64(exactly: number) else { throw StoreError.damagedDocument }
            whole.append(number)
        }
        return whole
    }
}

extension ColumnType where Value == Course {
    fileprivate static let course = ColumnType(width: 3) { row, place in
        let (line, checkpoints) = (try row.text(place), try row.text(place + 2))
        return try RunRow.course(line, laps: Int(try row.integer(place + 1)), checkpoints)
    } write: { course in
        [
            .text(RunRow.text(course.points)), .integer(Int64(course.laps)),
            .text(RunRow.text(course.checkpoints)),
        ]
    }
}

extension ColumnType where Value == [Int] {
    fileprivate static let wholeNumbers = ColumnType { row, place in
        try RunRow.wholeNumbers(try row.text(place)).map { Int($0) }
    } write: {
        [.text(RunRow.text($0))]
    }
}

extension ColumnType where Value == RunRow.Agreed {
    /// The course's line, without laps and checkpoints.
    fileprivate static let agreed = ColumnType(width: 3) { row, place in
        RunRow.Agreed(
            course: try RunRow.course(try row.text(place), laps: 1, "[]"),
            startsAt: Timestamp(milliseconds: try row.integer(place + 1)),
            endsAt: Timestamp(milliseconds: try row.integer(place + 2)))
    } write: { agreed in
        [
            .text(RunRow.text(agreed.course.points)), SQLValue(agreed.startsAt),
            SQLValue(agreed.endsAt),
        ]
    }
}

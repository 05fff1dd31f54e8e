public import Contract
internal import JSON
public import Racing
public import Tracking

/// A run as stored.
public struct RunRow: Sendable {
    public var run: Run
    public let organiser: UserID
    /// The last bib that was given.
    public var lastBib: Int
    public let createdAt: Timestamp
    /// As everybody was told.
    public var status: Run.Status
    /// Whether nothing about it can change any more.
    public var isClosed = false
    /// What those who take part are being told, and the last bib to which that was said.
    public var news: News?
    public var toldBib = 0
    /// Whether they were told that it is about to start.
    public var isReminded = false
    /// To what those who take part have agreed: how it was when they could still withdraw in time.
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
    /// What can change of it, as it is written.
    var changing: [SQLValue] {
        [
            .text(run.name), .text(run.place.name),
            .integer(Int64(run.place.coordinate.latitudeE7)),
            .integer(Int64(run.place.coordinate.longitudeE7)),
            .text(RunRow.text(run.course.points)), .text(RunRow.text(run.elevations)),
            .integer(Int64(run.course.laps)), .text(RunRow.text(run.course.checkpoints)),
            SQLValue(run.startsAt), SQLValue(run.enrolmentClosesAt), SQLValue(run.endsAt),
            SQLValue(run.maximum.map { Int64($0) }), .text(status.rawValue),
            .integer(Int64(lastBib)), .integer(isClosed ? 1 : 0),
            news.map { .text($0.rawValue) } ?? .null, .integer(Int64(toldBib)),
            .integer(isReminded ? 1 : 0), .text(RunRow.text(agreed.course.points)),
            SQLValue(agreed.startsAt), SQLValue(agreed.endsAt), .text(run.ranking.rawValue),
        ]
    }

    init(_ row: any SQLRow) throws(StoreError) {
        guard
            let place = Coordinate(
                latitudeE7: try row.integer(5), longitudeE7: try row.integer(6))
        else { throw .damagedDocument }
        guard let status = Run.Status(rawValue: try row.text(16)),
            let ranking = RaceClock.Ranking(rawValue: try row.text(25))
        else { throw .damagedDocument }
        let (line, checkpoints) = (try row.text(7), try row.text(9))
        let course = try RunRow.course(line, laps: Int(try row.integer(8)), checkpoints)
        let elevations = try RunRow.wholeNumbers(try row.text(17)).map { Int($0) }
        let startsAt = Timestamp(milliseconds: try row.integer(10))
        let endsAt = Timestamp(milliseconds: try row.integer(12))
        self.init(
            Run(
                id: try row.name(0), name: try row.text(3), organiser: try row.text(2),
                place: .init(name: try row.text(4), coordinate: place), course: course,
                elevations: elevations,
                startsAt: startsAt,
                enrolmentClosesAt: Timestamp(milliseconds: try row.integer(11)),
                // Earlier versions let the start be moved behind the end.
                endsAt: max(startsAt, endsAt),
                maximum: try row.optionalInteger(13).map { Int($0) }, ranking: ranking),
            of: UserID(rawValue: try row.integer(1)), lastBib: Int(try row.integer(14)),
            createdAt: Timestamp(milliseconds: try row.integer(15)), status: status)
        isClosed = try row.integer(18) != 0
        toldBib = Int(try row.integer(20))
        if !row.isNull(19) {
            guard let news = News(rawValue: try row.text(19)) else { throw .damagedDocument }
            self.news = news
        }
        isReminded = try row.integer(21) != 0
        // Runs of versions before are as they are.
        guard !row.isNull(22) else { return }
        agreed = Agreed(
            course: try RunRow.course(try row.text(22), laps: 1, "[]"),
            startsAt: Timestamp(milliseconds: try row.integer(23)),
            endsAt: Timestamp(milliseconds: try row.integer(24)))
    }

    /// `[latitude,longitude,latitude,…]`
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

    private static func course(_ line: String, laps: Int, _ checkpoints: String)
        throws(StoreError) -> Course
    {
        let numbers = try wholeNumbers(line)
        var points: [Coordinate] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard
                let point = Coordinate(
                    latitudeE7: numbers[index], longitudeE7: numbers[index + 1])
            else { throw .damagedDocument }
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
            // Earlier versions let a line of many points have more laps.
            guard case .segmentCount(let mostLaps) = error, mostLaps < laps else {
                throw .damagedDocument
            }
            return try course(points, laps: mostLaps, checkpoints)
        }
    }

    /// - Throws: `damagedDocument` if it has anything but finite numbers.
    static func numbers(_ text: String) throws(StoreError) -> [Double] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue.parse(Array(text.utf8))
        } catch {
            throw .damagedDocument
        }
        var numbers: [Double] = []
        for element in value.elements {
            guard case .number(let number) = element, number.isFinite else {
                throw .damagedDocument
            }
            numbers.append(number)
        }
        return numbers
    }

    /// - Throws: `damagedDocument` if it has anything but whole numbers.
    static func wholeNumbers(_ text: String) throws(StoreError) -> [Int64] {
        var whole: [Int64] = []
        for number in try numbers(text) {
            guard let number = Int64(exactly: number) else { throw .damagedDocument }
            whole.append(number)
        }
        return whole
    }
}

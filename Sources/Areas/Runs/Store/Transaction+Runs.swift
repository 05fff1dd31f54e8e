public import Contract
internal import JSON
internal import Racing
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

    public init(
        _ run: Run, of organiser: UserID, lastBib: Int = 0, createdAt: Timestamp,
        status: Run.Status = .announced
    ) {
        (self.run, self.organiser, self.status) = (run, organiser, status)
        (self.lastBib, self.createdAt) = (lastBib, createdAt)
    }
}

/// Somebody who takes part in a run, as stored.
public struct RunEntryRow: Hashable, Sendable {
    public let run: Name
    public let bib: Int
    public let user: UserID
    /// As which everybody sees them.
    public let name: String
    public let showsHeartRate: Bool
    public let at: Timestamp

    public init(
        run: Name, bib: Int, user: UserID, name: String, showsHeartRate: Bool, at: Timestamp
    ) {
        (self.run, self.bib, self.user, self.name) = (run, bib, user, name)
        (self.showsHeartRate, self.at) = (showsHeartRate, at)
    }
}

extension Transaction {
    // MARK: Organisers

    /// As whom somebody organises runs; nil if they do not.
    public func organiser(_ user: UserID) throws(StoreError) -> String? {
        try one("SELECT name FROM organisers WHERE user_id = ?", [SQLValue(user)]) {
            row throws(StoreError) in try row.text(0)
        }
    }

    /// - Parameter terms: the version that was accepted.
    public func setOrganiser(_ user: UserID, name: String, terms: String, at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            """
            INSERT INTO organisers (user_id, name, terms, accepted_at_ms) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, terms = excluded.terms,
                accepted_at_ms = excluded.accepted_at_ms
            """, [SQLValue(user), .text(name), .text(terms), SQLValue(now)])
    }

    // MARK: Runs

    private static let runColumns = """
        r.id, r.organiser_id, o.name, r.name, r.place, r.latitude_e7, r.longitude_e7, r.course,
        r.laps, r.checkpoints, r.starts_at_ms, r.closes_at_ms, r.ends_at_ms, r.maximum, r.last_bib,
        r.created_at_ms, r.status
        """

    /// Those that are not over; not those of accounts that are being erased.
    public func openRuns() throws(StoreError) -> [RunRow] {
        try runs(
            """
            WHERE r.status <> 'over' AND r.organiser_id NOT IN \(Transaction.erasedUsers)
            ORDER BY r.id
            """, [])
    }

    /// All of an organiser's, by id.
    public func runs(of organiser: UserID, after id: String, limit: Int) throws(StoreError)
        -> [RunRow]
    {
        try runs(
            "WHERE r.organiser_id = ? AND r.id > ? ORDER BY r.id LIMIT ?",
            [SQLValue(organiser), .text(id), .integer(Int64(limit))])
    }

    private func runs(_ rest: String, _ values: [SQLValue]) throws(StoreError) -> [RunRow] {
        try all(
            """
            SELECT \(Transaction.runColumns)
            FROM runs r JOIN organisers o ON o.user_id = r.organiser_id \(rest)
            """, values
        ) { row throws(StoreError) in try RunRow(row) }
    }

    public func insert(_ row: RunRow) throws(StoreError) {
        let run = row.run
        try driver.execute(
            """
            INSERT INTO runs (id, organiser_id, name, place, latitude_e7, longitude_e7, course,
                laps, checkpoints, starts_at_ms, closes_at_ms, ends_at_ms, maximum, last_bib,
                created_at_ms, status)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(run.id.text), SQLValue(row.organiser), .text(run.name),
                .text(run.place.name), .integer(Int64(run.place.coordinate.latitudeE7)),
                .integer(Int64(run.place.coordinate.longitudeE7)),
                .text(RunRow.text(run.course.points)), .integer(Int64(run.course.laps)),
                .text(RunRow.text(run.course.checkpoints)), SQLValue(run.startsAt),
                SQLValue(run.enrolmentClosesAt), SQLValue(run.endsAt),
                SQLValue(run.maximum.map { Int64($0) }), .integer(Int64(row.lastBib)),
                SQLValue(row.createdAt), .text(row.status.rawValue),
            ])
    }

    public func setStatus(_ status: Run.Status, ofRun run: Name) throws(StoreError) {
        try driver.execute(
            "UPDATE runs SET status = ? WHERE id = ?", [.text(status.rawValue), .text(run.text)])
    }

    // MARK: Taking part

    /// - Parameter isNew: whether the bib was not given before.
    public func insert(_ entry: RunEntryRow, isNew: Bool) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO run_entries (run_id, bib, user_id, name, shows_heart_rate, at_ms)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entry.run.text), .integer(Int64(entry.bib)), SQLValue(entry.user),
                .text(entry.name), .integer(entry.showsHeartRate ? 1 : 0), SQLValue(entry.at),
            ])
        guard isNew else { return }
        try driver.execute(
            "UPDATE runs SET last_bib = ? WHERE id = ?",
            [.integer(Int64(entry.bib)), .text(entry.run.text)])
    }

    public func deleteEntry(of user: UserID, in run: Name) throws(StoreError) {
        try driver.execute(
            "DELETE FROM run_entries WHERE user_id = ? AND run_id = ?",
            [SQLValue(user), .text(run.text)])
    }

    /// Of runs that are not over; not of accounts that are being erased.
    public func openRunEntries() throws(StoreError) -> [RunEntryRow] {
        try runEntries(
            """
            JOIN runs r ON r.id = e.run_id
            WHERE r.status <> 'over' AND e.user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY e.run_id, e.bib
            """, [])
    }

    /// All of somebody's, by run.
    public func runEntries(of user: UserID, after run: String, limit: Int) throws(StoreError)
        -> [RunEntryRow]
    {
        try runEntries(
            "WHERE e.user_id = ? AND e.run_id > ? ORDER BY e.run_id LIMIT ?",
            [SQLValue(user), .text(run), .integer(Int64(limit))])
    }

    private func runEntries(_ rest: String, _ values: [SQLValue])
        throws(StoreError) -> [RunEntryRow]
    {
        try all(
            """
            SELECT e.run_id, e.bib, e.user_id, e.name, e.shows_heart_rate, e.at_ms
            FROM run_entries e \(rest)
            """, values
        ) { row throws(StoreError) in
            RunEntryRow(
                run: try row.name(0), bib: Int(try row.integer(1)),
                user: UserID(rawValue: try row.integer(2)), name: try row.text(3),
                showsHeartRate: try row.integer(4) != 0,
                at: Timestamp(milliseconds: try row.integer(5)))
        }
    }

    // MARK: Afterwards

    /// Deletes a bounded part of the runs that ended before, and of who took part in them.
    ///
    /// - Returns: how many rows.
    public func deleteRuns(endedBefore moment: Timestamp, atMost limit: Int) throws(StoreError)
        -> Int
    {
        let entries = try driver.execute(
            """
            DELETE FROM run_entries WHERE (run_id, bib) IN
                (SELECT e.run_id, e.bib FROM runs r JOIN run_entries e ON e.run_id = r.id
                WHERE r.ends_at_ms < ? LIMIT ?)
            """, [SQLValue(moment), .integer(Int64(limit))])
        guard entries < limit else { return entries }
        return entries
            + (try driver.execute(
                """
                DELETE FROM runs WHERE id IN
                    (SELECT id FROM runs WHERE ends_at_ms < ? LIMIT ?)
                """, [SQLValue(moment), .integer(Int64(limit - entries))]))
    }
}

extension RunRow {
    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        guard
            let place = Coordinate(
                latitudeE7: try row.integer(5), longitudeE7: try row.integer(6))
        else { throw .damagedDocument }
        guard let status = Run.Status(rawValue: try row.text(16)) else { throw .damagedDocument }
        let (line, checkpoints) = (try row.text(7), try row.text(9))
        let course = try RunRow.course(line, laps: Int(try row.integer(8)), checkpoints)
        self.init(
            Run(
                id: try row.name(0), name: try row.text(3), organiser: try row.text(2),
                place: .init(name: try row.text(4), coordinate: place), course: course,
                startsAt: Timestamp(milliseconds: try row.integer(10)),
                enrolmentClosesAt: Timestamp(milliseconds: try row.integer(11)),
                endsAt: Timestamp(milliseconds: try row.integer(12)),
                maximum: try row.optionalInteger(13).map { Int($0) }),
            of: UserID(rawValue: try row.integer(1)), lastBib: Int(try row.integer(14)),
            createdAt: Timestamp(milliseconds: try row.integer(15)), status: status)
    }

    /// `[latitude,longitude,latitude,…]`
    fileprivate static func text(_ points: [Coordinate]) -> String {
        var json = JSONWriter()
        json.array(points.flatMap { [$0.latitudeE7, $0.longitudeE7] }) { $0.number(Int64($1)) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    fileprivate static func text(_ numbers: [Double]) -> String {
        var json = JSONWriter()
        json.array(numbers) { $0.number($1) }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func course(_ line: String, laps: Int, _ checkpoints: String)
        throws(StoreError) -> Course
    {
        let numbers = try numbers(line)
        var points: [Coordinate] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard
                let point = Coordinate(
                    latitudeE7: Int64(numbers[index]), longitudeE7: Int64(numbers[index + 1]))
            else { throw .damagedDocument }
            points.append(point)
        }
        let metres = try self.numbers(checkpoints)
        do throws(Course.Invalid) {
            return try Course(points, laps: laps, checkpoints: metres)
        } catch {
            throw .damagedDocument
        }
    }

    private static func numbers(_ text: String) throws(StoreError) -> [Double] {
        var numbers: [Double] = []
        do throws(JSONError) {
            for element in try JSONValue.parse(Array(text.utf8)).elements {
                if case .number(let number) = element { numbers.append(number) }
            }
        } catch {
            throw .damagedDocument
        }
        return numbers
    }
}

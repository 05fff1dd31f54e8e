public import Contract
internal import JSON
public import Racing
public import Tracking

/// A participant's stored result in a run.
public struct RunResultRow: Sendable {
    public let run: Name
    public let user: UserID
    public let bib: Int
    public let name: String?
    /// Nil for none: a checkpoint was missed, or the participant did not start.
    public let rank: Int?
    public let runner: Runner
    /// The run's clock.
    public let clock: RaceClock

    public init(
        run: Name, user: UserID, bib: Int, name: String?, rank: Int? = nil, _ runner: Runner,
        clock: RaceClock
    ) {
        (self.run, self.user, self.bib) = (run, user, bib)
        (self.name, self.rank, self.runner, self.clock) = (name, rank, runner, clock)
    }
}

extension Transaction {
    public func set(_ row: RunResultRow) throws(StoreError) {
        let runner = row.runner
        let splits = runner.splits.flatMap {
            [Double($0.at.milliseconds), $0.distance.rounded()]
        }
        try driver.execute(
            """
            INSERT INTO run_results (run_id, bib, user_id, started_at_ms, finished_at_ms, distance,
                missed, splits)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (run_id, bib) DO UPDATE SET started_at_ms = excluded.started_at_ms,
                finished_at_ms = excluded.finished_at_ms, distance = excluded.distance,
                missed = excluded.missed, splits = excluded.splits
            """,
            [
                .text(row.run.text), .integer(Int64(row.bib)), SQLValue(row.user),
                SQLValue(runner.startedAt), SQLValue(runner.finishedAt), .real(runner.distance),
                .text(RunRow.text(runner.missed)), .text(RunRow.text(splits)),
            ])
    }

    /// Returns a run's results in their order; see ``Standings``.
    public func runResults(_ run: Name, after count: Int, limit: Int) throws(StoreError)
        -> [RunResultRow]
    {
        try runResults(
            """
            SELECT s.run_id, s.user_id, s.bib, e.name,
                CASE WHEN s.started_at_ms IS NULL OR s.missed <> '[]' THEN NULL
                    ELSE RANK() OVER \(Transaction.order) END,
                \(Transaction.resultColumns)
            FROM \(Transaction.resultTables)
            WHERE s.run_id = ? AND s.user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY ROW_NUMBER() OVER \(Transaction.order), s.bib
            LIMIT ? OFFSET ?
            """, [.text(run.text), .integer(Int64(limit)), .integer(Int64(count))])
    }

    private static let resultColumns = """
        s.started_at_ms, s.finished_at_ms, s.distance, s.missed, s.splits, r.ranked_by,
        r.starts_at_ms
        """
    private static let resultTables = """
        run_results s JOIN run_entries e ON e.run_id = s.run_id AND e.bib = s.bib
            JOIN runs r ON r.id = s.run_id
        """

    /// The order by the whole seconds that are shown; see ``RaceClock``.
    private static let order = """
        (ORDER BY s.started_at_ms IS NULL OR s.missed <> '[]', s.finished_at_ms IS NULL,
            CASE WHEN s.finished_at_ms <= \(start) THEN 0
                ELSE (s.finished_at_ms - \(start)) / 1000 END,
            CASE WHEN s.finished_at_ms IS NULL THEN -CAST(ROUND(s.distance) AS BIGINT) END)
        """
    private static let start =
        "CASE r.ranked_by WHEN 'gun' THEN r.starts_at_ms ELSE s.started_at_ms END"

    /// Returns a user's results, by run.
    public func runResults(of user: UserID, after run: String, limit: Int) throws(StoreError)
        -> [RunResultRow]
    {
        try runResults(
            """
            SELECT s.run_id, s.user_id, s.bib, e.name, NULL, \(Transaction.resultColumns)
            FROM \(Transaction.resultTables)
            WHERE s.user_id = ? AND s.run_id > ? ORDER BY s.run_id LIMIT ?
            """, [SQLValue(user), .text(run), .integer(Int64(limit))])
    }

    /// Returns the participants with a stored result, in runs that can still change.
    public func openRunResults() throws(StoreError) -> [(run: Name, user: UserID)] {
        try all(
            """
            SELECT s.run_id, s.user_id FROM run_results s JOIN runs r ON r.id = s.run_id
            WHERE r.is_closed = 0
            """, []
        ) { row in (try row.name(0), UserID(rawValue: try row.integer(1))) }
    }

    private func runResults(_ sql: String, _ values: [SQLValue]) throws(StoreError)
        -> [RunResultRow]
    {
        try all(sql, values) { row in
            let name = try row.text(3)
            guard let ranking = RaceClock.Ranking(rawValue: try row.text(10)) else {
                throw StoreError.damagedDocument
            }
            return RunResultRow(
                run: try row.name(0), user: UserID(rawValue: try row.integer(1)),
                bib: Int(try row.integer(2)), name: name.isEmpty ? nil : name,
                rank: try row.optionalInteger(4).map { Int($0) },
                Runner(
                    distance: try row.optionalReal(7) ?? 0,
                    startedAt: try row.optionalInteger(5).map { Timestamp(milliseconds: $0) },
                    finishedAt: try row.optionalInteger(6).map { Timestamp(milliseconds: $0) },
                    missed: try RunRow.wholeNumbers(try row.text(8)).map { Int($0) },
                    splits: try Transaction.splits(try row.text(9))),
                clock: RaceClock(ranking, gun: Timestamp(milliseconds: try row.integer(11))))
        }
    }

    /// Reads `[milliseconds,metres,milliseconds,…]`.
    private static func splits(_ text: String) throws(StoreError) -> [Runner.Split] {
        let numbers = try RunRow.numbers(text)
        var splits: [Runner.Split] = []
        for index in stride(from: 0, to: numbers.count - 1, by: 2) {
            guard let at = Int64(exactly: numbers[index]) else { throw StoreError.damagedDocument }
            splits.append(
                Runner.Split(at: Timestamp(milliseconds: at), distance: numbers[index + 1]))
        }
        return splits
    }
}

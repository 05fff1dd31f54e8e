public import Contract
public import Tracking

/// A stored participant of a run.
public struct RunEntryRow: Hashable, Sendable {
    public let run: Name
    public let bib: Int
    public let user: UserID
    /// The public name; nil to show only the bib.
    public let name: String?
    public let showsHeartRate: Bool
    public let at: Timestamp

    public init(
        run: Name, bib: Int, user: UserID, name: String?, showsHeartRate: Bool, at: Timestamp
    ) {
        (self.run, self.bib, self.user, self.name) = (run, bib, user, name)
        (self.showsHeartRate, self.at) = (showsHeartRate, at)
    }

    static let record = Record<RunEntryRow>(
        "run_entries", Column("run_id", .name, \.run), Column("bib", .count, \.bib),
        Column("user_id", .number, \.user), Column("name", .nameOrNone, \.name),
        Column("shows_heart_rate", .flag, \.showsHeartRate), Column("at_ms", .time, \.at),
        make: RunEntryRow.init)
}

extension ColumnType where Value == String? {
    fileprivate static let nameOrNone = ColumnType(
        text: { .some($0.isEmpty ? nil : $0) }, { $0 ?? "" })
}

extension Transaction {
    /// - Parameter entry: its bib has not been assigned before.
    public func insert(_ entry: RunEntryRow) throws(StoreError) {
        try insert(entry, RunEntryRow.record)
        try driver.execute(
            "UPDATE runs SET last_bib = ? WHERE id = ?",
            [.integer(Int64(entry.bib)), .text(entry.run.text)])
    }

    /// Stores a change of what others see of a participant.
    public func update(_ entry: RunEntryRow) throws(StoreError) {
        try driver.execute(
            "UPDATE run_entries SET name = ?, shows_heart_rate = ? WHERE user_id = ? AND run_id = ?",
            [
                .text(entry.name ?? ""), .integer(entry.showsHeartRate ? 1 : 0),
                SQLValue(entry.user), .text(entry.run.text),
            ])
    }

    /// Deletes an entry with its result.
    ///
    /// - Returns: whether it existed.
    public func deleteEntry(of user: UserID, in run: Name) throws(StoreError) -> Bool {
        try driver.execute(
            "DELETE FROM run_results WHERE user_id = ? AND run_id = ?",
            [SQLValue(user), .text(run.text)])
        return try driver.executeCounted(
            "DELETE FROM run_entries WHERE user_id = ? AND run_id = ?",
            [SQLValue(user), .text(run.text)]) > 0
    }

    public func countEntries(in run: Name) throws(StoreError) -> Int {
        try one("SELECT COUNT(*) FROM run_entries WHERE run_id = ?", [.text(run.text)]) { row in
            Int(try row.integer(0))
        } ?? 0
    }

    /// Returns the entries of runs that can still change, except those of accounts being erased.
    public func openRunEntries() throws(StoreError) -> [RunEntryRow] {
        try rows(
            RunEntryRow.record,
            """
            WHERE run_id IN (SELECT id FROM runs WHERE is_closed = 0)
                AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY run_id, bib
            """)
    }

    /// Returns a user's entries, by run.
    public func runEntries(of user: UserID, after run: String, limit: Int) throws(StoreError)
        -> [RunEntryRow]
    {
        try rows(
            RunEntryRow.record, "WHERE user_id = ? AND run_id > ? ORDER BY run_id LIMIT ?",
            [SQLValue(user), .text(run), .integer(Int64(limit))])
    }
}

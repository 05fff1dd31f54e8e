public import Contract
public import Tracking

/// Somebody who takes part in a run, as stored.
public struct RunEntryRow: Hashable, Sendable {
    public let run: Name
    public let bib: Int
    public let user: UserID
    /// As which everybody sees them; nil: by nothing but the bib.
    public let name: String?
    public let showsHeartRate: Bool
    public let at: Timestamp

    public init(
        run: Name, bib: Int, user: UserID, name: String?, showsHeartRate: Bool, at: Timestamp
    ) {
        (self.run, self.bib, self.user, self.name) = (run, bib, user, name)
        (self.showsHeartRate, self.at) = (showsHeartRate, at)
    }
}

extension Transaction {
    /// - Parameter entry: its bib was not given before.
    public func insert(_ entry: RunEntryRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO run_entries (run_id, bib, user_id, name, shows_heart_rate, at_ms)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(entry.run.text), .integer(Int64(entry.bib)), SQLValue(entry.user),
                .text(entry.name ?? ""), .integer(entry.showsHeartRate ? 1 : 0), SQLValue(entry.at),
            ])
        try driver.execute(
            "UPDATE runs SET last_bib = ? WHERE id = ?",
            [.integer(Int64(entry.bib)), .text(entry.run.text)])
    }

    /// What others see of somebody has changed.
    public func update(_ entry: RunEntryRow) throws(StoreError) {
        try driver.execute(
            "UPDATE run_entries SET name = ?, shows_heart_rate = ? WHERE user_id = ? AND run_id = ?",
            [
                .text(entry.name ?? ""), .integer(entry.showsHeartRate ? 1 : 0),
                SQLValue(entry.user), .text(entry.run.text),
            ])
    }

    /// Also what became of them.
    ///
    /// - Returns: whether there was one.
    public func deleteEntry(of user: UserID, in run: Name) throws(StoreError) -> Bool {
        try driver.execute(
            "DELETE FROM run_results WHERE user_id = ? AND run_id = ?",
            [SQLValue(user), .text(run.text)])
        return try driver.execute(
            "DELETE FROM run_entries WHERE user_id = ? AND run_id = ?",
            [SQLValue(user), .text(run.text)]) > 0
    }

    public func countEntries(in run: Name) throws(StoreError) -> Int {
        try one("SELECT COUNT(*) FROM run_entries WHERE run_id = ?", [.text(run.text)]) {
            row throws(StoreError) in Int(try row.integer(0))
        } ?? 0
    }

    /// Of runs about which something can still change; not of accounts that are being erased.
    public func openRunEntries() throws(StoreError) -> [RunEntryRow] {
        try runEntries(
            """
            JOIN runs r ON r.id = e.run_id
            WHERE r.is_closed = 0 AND e.user_id NOT IN \(Transaction.erasedUsers)
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
            let name = try row.text(3)
            return RunEntryRow(
                run: try row.name(0), bib: Int(try row.integer(1)),
                user: UserID(rawValue: try row.integer(2)), name: name.isEmpty ? nil : name,
                showsHeartRate: try row.integer(4) != 0,
                at: Timestamp(milliseconds: try row.integer(5)))
        }
    }
}

public import Contract
public import Tracking

extension Transaction {
    // MARK: Organisers

    /// Returns the user's name as an organiser; nil if they are not one.
    public func organiser(_ user: UserID) throws(StoreError) -> String? {
        try one("SELECT name FROM organisers WHERE user_id = ?", [SQLValue(user)]) { row in
            try row.text(0)
        }
    }

    /// - Parameter terms: the accepted version.
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

    /// Returns the runs that can still change, except those of accounts being erased.
    public func openRuns() throws(StoreError) -> [RunRow] {
        try rows(
            RunRow.record,
            """
            WHERE is_closed = 0 AND organiser_id NOT IN \(Transaction.erasedUsers) ORDER BY id
            """)
    }

    /// Returns an organiser's runs, by id.
    public func runs(of organiser: UserID, after id: String, limit: Int) throws(StoreError)
        -> [RunRow]
    {
        try rows(
            RunRow.record, "WHERE organiser_id = ? AND id > ? ORDER BY id LIMIT ?",
            [SQLValue(organiser), .text(id), .integer(Int64(limit))])
    }

    public func run(_ id: Name) throws(StoreError) -> RunRow? {
        try rows(
            RunRow.record, "WHERE id = ? AND organiser_id NOT IN \(Transaction.erasedUsers)",
            [.text(id.text)]
        ).first
    }

    public func insert(_ row: RunRow) throws(StoreError) { try insert(row, RunRow.record) }

    public func update(_ row: RunRow) throws(StoreError) { try update(row, RunRow.record) }

    // MARK: Retention

    /// Deletes a bounded part of the runs that ended before that time, with their participants.
    ///
    /// - Returns: the number of rows.
    public func deleteRuns(endedBefore moment: Timestamp, atMost limit: Int) throws(StoreError)
        -> Int
    {
        let entries = try driver.executeCounted(
            """
            DELETE FROM run_entries WHERE (run_id, bib) IN
                (SELECT e.run_id, e.bib FROM runs r JOIN run_entries e ON e.run_id = r.id
                WHERE r.ends_at_ms < ? LIMIT ?)
            """, [SQLValue(moment), .integer(Int64(limit))])
        guard entries < limit else { return entries }
        let results = try driver.executeCounted(
            """
            DELETE FROM run_results WHERE (run_id, bib) IN
                (SELECT e.run_id, e.bib FROM runs r JOIN run_results e ON e.run_id = r.id
                WHERE r.ends_at_ms < ? LIMIT ?)
            """, [SQLValue(moment), .integer(Int64(limit - entries))])
        guard entries + results < limit else { return entries + results }
        return entries + results
            + (try driver.executeCounted(
                """
                DELETE FROM runs WHERE id IN
                    (SELECT id FROM runs WHERE ends_at_ms < ? AND is_closed = 1 LIMIT ?)
                """, [SQLValue(moment), .integer(Int64(limit - entries - results))]))
    }
}

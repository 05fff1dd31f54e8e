public import Contract
public import Tracking

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
        r.created_at_ms, r.status, r.elevations, r.is_closed, r.news, r.told_bib, r.is_reminded,
        r.agreed_course, r.agreed_starts_at_ms, r.agreed_ends_at_ms, r.ranked_by
        """

    /// Those about which something can still change; not those of accounts that are being erased.
    public func openRuns() throws(StoreError) -> [RunRow] {
        try runs(
            """
            WHERE r.is_closed = 0 AND r.organiser_id NOT IN \(Transaction.erasedUsers)
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

    public func run(_ id: Name) throws(StoreError) -> RunRow? {
        try runs(
            "WHERE r.id = ? AND r.organiser_id NOT IN \(Transaction.erasedUsers)", [.text(id.text)]
        ).first
    }

    public func insert(_ row: RunRow) throws(StoreError) {
        let run = row.run
        try driver.execute(
            """
            INSERT INTO runs (organiser_id, created_at_ms, name, place, latitude_e7, longitude_e7,
                course, elevations, laps, checkpoints, starts_at_ms, closes_at_ms, ends_at_ms,
                maximum, status, last_bib, is_closed, news, told_bib, is_reminded, agreed_course,
                agreed_starts_at_ms, agreed_ends_at_ms, ranked_by, id)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [SQLValue(row.organiser), SQLValue(row.createdAt)] + row.changing
                + [.text(run.id.text)])
    }

    public func update(_ row: RunRow) throws(StoreError) {
        try driver.execute(
            """
            UPDATE runs SET name = ?, place = ?, latitude_e7 = ?, longitude_e7 = ?, course = ?,
                elevations = ?, laps = ?, checkpoints = ?, starts_at_ms = ?, closes_at_ms = ?,
                ends_at_ms = ?, maximum = ?, status = ?, last_bib = ?, is_closed = ?, news = ?,
                told_bib = ?, is_reminded = ?, agreed_course = ?, agreed_starts_at_ms = ?,
                agreed_ends_at_ms = ?, ranked_by = ?
            WHERE id = ?
            """, row.changing + [.text(row.run.id.text)])
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
        let results = try driver.execute(
            """
            DELETE FROM run_results WHERE (run_id, bib) IN
                (SELECT e.run_id, e.bib FROM runs r JOIN run_results e ON e.run_id = r.id
                WHERE r.ends_at_ms < ? LIMIT ?)
            """, [SQLValue(moment), .integer(Int64(limit - entries))])
        guard entries + results < limit else { return entries + results }
        return entries + results
            + (try driver.execute(
                """
                DELETE FROM runs WHERE id IN
                    (SELECT id FROM runs WHERE ends_at_ms < ? AND is_closed = 1 LIMIT ?)
                """, [SQLValue(moment), .integer(Int64(limit - entries - results))]))
    }
}

public import Tracking

/// Fixes that arrived while their owner had paused.
extension Transaction {
    /// - Parameter first: the first fix of the same pause.
    public func notePaused(_ fix: FixID, since first: FixID, of user: UserID) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO paused_fixes (user_id, first_id, last_id) VALUES (?, ?, ?)
            ON CONFLICT (user_id, first_id) DO UPDATE SET last_id = excluded.last_id
            """, [SQLValue(user), SQLValue(first), SQLValue(fix)])
    }

    /// Returns ranges of the user's fixes that arrived during pauses and do not end before this
    /// fix.
    public func pausedFixes(of user: UserID, from fix: FixID) throws(StoreError)
        -> [ClosedRange<FixID>]
    {
        try all(
            """
            SELECT first_id, last_id FROM paused_fixes WHERE user_id = ? AND last_id >= ?
            ORDER BY first_id
            """, [SQLValue(user), SQLValue(fix)]
        ) { row in
            let (first, last) = (try row.integer(0), try row.integer(1))
            return FixID(rawValue: first)...FixID(rawValue: max(first, last))
        }
    }

    /// Forgets pauses whose fixes are deleted.
    ///
    /// - Returns: whether there may be more.
    public func deletePausedFixes(before fix: FixID, atMost limit: Int) throws(StoreError) -> Bool {
        try driver.executeCounted(
            """
            DELETE FROM paused_fixes WHERE (user_id, first_id) IN
                (SELECT user_id, first_id FROM paused_fixes WHERE last_id < ?
                ORDER BY last_id LIMIT ?)
            """, [SQLValue(fix), .integer(Int64(limit))]) >= limit
    }
}

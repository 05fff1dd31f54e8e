public import Tracking

/// Deletes expired data in bounded steps. The caller sets the maximum number of rows; if fewer were
/// deleted, nothing is left to do.
extension Transaction {
    // MARK: Replies

    public func deleteReplies(before time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM replies WHERE (device_id, request) IN (
                SELECT device_id, request FROM replies WHERE at_ms < ? ORDER BY at_ms LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }

    /// Deletes uncollected answers to the operator.
    public func deleteOperatorReplies(before time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM operator_requests WHERE id IN (
                SELECT id FROM operator_requests WHERE reply IS NOT NULL AND at_ms < ?
                ORDER BY id LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }

    // MARK: Rights

    /// Deletes rights changes, oldest first, up to one that every gate should know by now. A gate
    /// that does not know it notices the gap.
    public func pruneAccessChanges(through number: Int64, atMost limit: Int)
        throws(StoreError) -> Int
    {
        let last = try lastAccessChange()
        guard number > 0, last > 0 else { return 0 }
        var end = number
        if number >= last {
            // Numbers are never reused: the last row stays, without a name.
            let blank = try one(
                "SELECT principal FROM access_changes WHERE number = ?", [.integer(last)]
            ) { try $0.text(0).isEmpty }
            if blank == true {
                end = last - 1
            } else {
                notes?.hasPruned = true
                try driver.execute("INSERT INTO access_changes (principal) VALUES ('')", [])
            }
        }
        notes?.hasPruned = true
        return try driver.executeCounted(
            """
            DELETE FROM access_changes WHERE number IN (
                SELECT number FROM access_changes WHERE number <= ? ORDER BY number LIMIT ?)
            """, [.integer(end), .integer(Int64(limit))])
    }
}

internal import Tracking

/// Fixes of deleted accounts, which are stored among others.
extension Transaction {
    /// - Returns: the number of fixes deleted; fewer than the limit if none is left.
    func continueFixErasures(atMost limit: Int) throws(StoreError) -> Int {
        var deleted = 0
        while deleted < limit, let erasure = try firstErasure() {
            deleted += try deleteFixes(
                of: erasure.device, from: erasure.next, atMost: limit - deleted)
        }
        return deleted
    }

    private func firstErasure() throws(StoreError) -> (device: DeviceID, next: FixID)? {
        try one("SELECT device_id, next_fix_id FROM erasures ORDER BY device_id LIMIT 1") { row in
            (DeviceID(rawValue: try row.integer(0)), FixID(rawValue: try row.integer(1)))
        }
    }

    /// Deletes some of the device's fixes, newest first, and records where to continue.
    private func deleteFixes(of device: DeviceID, from next: FixID, atMost limit: Int)
        throws(StoreError) -> Int
    {
        let chain = try all(
            """
            WITH RECURSIVE chain (id, previous_id, place) AS (
                SELECT id, previous_id, 1 FROM fixes WHERE id = ? AND device_id = ?
                UNION ALL
                SELECT f.id, f.previous_id, c.place + 1
                FROM chain c JOIN fixes f ON f.id = c.previous_id WHERE c.place < ?
            )
            SELECT id, previous_id FROM chain ORDER BY place
            """, [SQLValue(next), SQLValue(device), .integer(Int64(limit))]
        ) { row in (try row.integer(0), try row.optionalInteger(1)) }
        for (id, _) in chain {
            try driver.execute("DELETE FROM fixes WHERE id = ?", [.integer(id)])
        }
        let end = chain.last?.0 ?? next.rawValue
        try driver.execute(
            "DELETE FROM fix_runs WHERE device_id = ? AND last_fix_id >= ?",
            [SQLValue(device), .integer(end)])
        // If the chain is broken, the chunks show where it continues.
        let newestRun =
            try one(
                "SELECT MAX(last_fix_id) FROM fix_runs WHERE device_id = ?", [SQLValue(device)]
            ) { try $0.optionalInteger(0) } ?? nil
        if let start = chain.last?.1 ?? newestRun {
            try driver.execute(
                "UPDATE erasures SET next_fix_id = ? WHERE device_id = ?",
                [.integer(start), SQLValue(device)])
        } else {
            try driver.execute("DELETE FROM erasures WHERE device_id = ?", [SQLValue(device)])
        }
        return chain.count
    }
}

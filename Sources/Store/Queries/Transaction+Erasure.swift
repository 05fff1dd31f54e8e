public import Tracking

/// What was deleted of a user, as the receipt.
public struct ErasureCounts: Hashable, Sendable {
    public var devices = 0
    public var memberships = 0
    public var fixes = 0
    public var paths = 0
    public var pathPoints = 0
    public var alerts = 0
    public var acknowledgements = 0
    /// Of chats.
    public var messages = 0
    public var replies = 0
    /// Those that had not reached the broker yet.
    public var notices = 0
    /// On the user's lists: friends, and who was blocked.
    public var friends = 0

    public init() {}
}

extension Transaction {
    /// Removes a user who is in no group any more, with everything that is theirs; what they wrote
    /// keeps its place in the chats, without who and what. A long history of fixes is left to
    /// ``continueErasures(atMost:)``; nothing tells any more whose it was.
    ///
    /// - Parameters:
    ///   - devices: the user's, whose ``DeviceLog/last`` is the newest fix of each.
    ///   - counts: what was counted before.
    public func eraseUser(
        _ user: UserID, devices: [DeviceLog], _ counts: ErasureCounts = ErasureCounts()
    ) throws(StoreError) -> ErasureCounts {
        let parameters = [SQLValue(user)]
        var counts = counts
        try noteAccessChange(of: user)
        counts.friends += try eraseFriends(of: user).own
        for log in devices {
            counts.fixes += try countFixes(of: log)
            counts.replies += try driver.execute(
                "DELETE FROM replies WHERE device_id = ?", [SQLValue(log.device)])
            guard let last = log.last else { continue }
            try driver.execute(
                "INSERT INTO erasures (device_id, next_fix_id) VALUES (?, ?)",
                [SQLValue(log.device), SQLValue(last)])
        }
        try driver.execute("DELETE FROM path_groups WHERE user_id = ?", parameters)
        counts.pathPoints = try driver.execute(
            "DELETE FROM path_points WHERE user_id = ?", parameters)
        counts.paths = try driver.execute("DELETE FROM paths WHERE user_id = ?", parameters)
        try driver.execute("DELETE FROM trackers WHERE user_id = ?", parameters)
        try driver.execute(
            "DELETE FROM acknowledgements WHERE user_id = ?", parameters)
        try driver.execute(
            """
            DELETE FROM acknowledgements WHERE alert_id IN
                (SELECT id FROM alerts WHERE user_id = ?)
            """, parameters)
        try driver.execute("DELETE FROM alerts WHERE user_id = ?", parameters)
        try driver.execute(
            "UPDATE chat_messages SET user_id = NULL, text = NULL WHERE user_id = ?", parameters)
        try driver.execute("DELETE FROM waiting_requests WHERE user_id = ?", parameters)
        counts.devices = try driver.execute("DELETE FROM devices WHERE user_id = ?", parameters)
        try driver.execute("DELETE FROM users WHERE id = ?", parameters)
        return counts
    }

    /// How many alerts tell of the user, how many the user has acknowledged, and how many messages
    /// the user wrote; to be asked before the user's groups are left, which may close them.
    public func countInGroups(of user: UserID, _ counts: inout ErasureCounts) throws(StoreError) {
        let parameters = [SQLValue(user)]
        counts.alerts = try count("SELECT COUNT(*) FROM alerts WHERE user_id = ?", parameters)
        counts.acknowledgements = try count(
            "SELECT COUNT(*) FROM acknowledgements WHERE user_id = ?", parameters)
        counts.messages = try count(
            "SELECT COUNT(*) FROM chat_messages WHERE user_id = ? AND kind = 'message'",
            parameters)
    }

    // MARK: Fixes, step by step

    /// The runs are counted by what they say; only the oldest may have lost some to the
    /// retention.
    /// How many fixes of the device are stored, those whose place was forgotten included.
    public func countFixes(of log: DeviceLog) throws(StoreError) -> Int {
        guard let last = log.last else { return 0 }
        let runs = try all(
            """
            SELECT last_fix_id, count FROM fix_runs
            WHERE device_id = ? ORDER BY last_fix_id LIMIT 1
            """, [SQLValue(log.device)]
        ) { row throws(StoreError) in
            (FixID(rawValue: try row.integer(0)), Int(try row.integer(1)))
        }
        guard let oldest = runs.first else {
            return try fixes(upTo: last, count: DeviceLog.runLength).count
        }
        let newest =
            try one(
                "SELECT MAX(last_fix_id) FROM fix_runs WHERE device_id = ?", [SQLValue(log.device)]
            ) { row throws(StoreError) in FixID(rawValue: try row.integer(0)) } ?? oldest.0
        return try fixes(upTo: oldest.0, count: oldest.1).count
            + count(
                """
                SELECT COALESCE(SUM(count), 0) FROM fix_runs
                WHERE device_id = ? AND last_fix_id > ?
                """, [SQLValue(log.device), SQLValue(oldest.0)])
            + fixes(upTo: last, count: DeviceLog.runLength).count { $0.id > newest }
    }

    /// Whether fixes of erased users wait to be deleted.
    public func hasErasures() throws(StoreError) -> Bool {
        try count("SELECT COUNT(*) FROM (SELECT 1 FROM erasures LIMIT 1) AS some", []) > 0
    }

    /// Deletes a part of what erased users left.
    ///
    /// - Returns: how many fixes were deleted; fewer than `limit` when nothing is left to do.
    public func continueErasures(atMost limit: Int) throws(StoreError) -> Int {
        var deleted = 0
        while deleted < limit, let erasure = try firstErasure() {
            deleted += try deleteFixes(
                of: erasure.device, from: erasure.next, atMost: limit - deleted)
        }
        return deleted
    }

    private func firstErasure() throws(StoreError) -> (device: DeviceID, next: FixID)? {
        try one("SELECT device_id, next_fix_id FROM erasures ORDER BY device_id LIMIT 1") {
            row throws(StoreError) in
            (DeviceID(rawValue: try row.integer(0)), FixID(rawValue: try row.integer(1)))
        }
    }

    /// Deletes some of the device's fixes, the newest first, and writes down where to go on.
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
        ) { row throws(StoreError) in (try row.integer(0), try row.optionalInteger(1)) }
        for (id, _) in chain {
            try driver.execute("DELETE FROM fixes WHERE id = ?", [.integer(id)])
        }
        let end = chain.last?.0 ?? next.rawValue
        try driver.execute(
            "DELETE FROM fix_runs WHERE device_id = ? AND last_fix_id >= ?",
            [SQLValue(device), .integer(end)])
        // Where the chain is broken, the runs know where it goes on.
        let newestRun =
            try one(
                "SELECT MAX(last_fix_id) FROM fix_runs WHERE device_id = ?", [SQLValue(device)]
            ) { row throws(StoreError) in try row.optionalInteger(0) } ?? nil
        if let start = chain.last?.1 ?? newestRun {
            try driver.execute(
                "UPDATE erasures SET next_fix_id = ? WHERE device_id = ?",
                [.integer(start), SQLValue(device)])
        } else {
            try driver.execute("DELETE FROM erasures WHERE device_id = ?", [SQLValue(device)])
        }
        return chain.count
    }

    /// A number that no device has, nor any fix that waits to be deleted.
    static let nextDevice = """
        (SELECT COALESCE(MAX(id), 0) + 1 FROM (
            SELECT MAX(id) AS id FROM devices UNION ALL SELECT MAX(device_id) FROM erasures
        ) AS known)
        """

    // MARK: What speaks of the user elsewhere

    /// Deletes what was answered to other people where it speaks of the user.
    ///
    /// - Parameter mentions: whether an answer does.
    public func deleteReplies(
        to devices: [DeviceID], where mentions: ([UInt8]) -> Bool
    ) throws(StoreError) {
        for device in devices {
            let requests = try all(
                "SELECT request, payload FROM replies WHERE device_id = ?", [SQLValue(device)]
            ) { row throws(StoreError) in
                mentions(try row.blob(1)) ? try row.text(0) : nil
            }
            for request in requests.compactMap({ $0 }) {
                try driver.execute(
                    "DELETE FROM replies WHERE device_id = ? AND request = ?",
                    [SQLValue(device), .text(request)])
            }
        }
    }

    /// Replaces the payload of a message that the broker has not confirmed.
    public func replaceOutgoing(_ id: Int64, payload: [UInt8]) throws(StoreError) {
        try driver.execute(
            "UPDATE outbox SET payload = ? WHERE id = ?", [.blob(payload), .integer(id)])
    }

    /// Empties a message that the broker has not confirmed. The row stays until it has, or until
    /// the next connection: its number must not be given again while it is under way.
    public func emptyOutgoing(_ id: Int64) throws(StoreError) {
        try driver.execute(
            """
            UPDATE outbox SET topic = '', payload = ?, correlation_data = NULL WHERE id = ?
            """, [.blob([]), .integer(id)])
    }

    private func count(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
        try one(sql, values) { row throws(StoreError) in Int(try row.integer(0)) } ?? 0
    }
}

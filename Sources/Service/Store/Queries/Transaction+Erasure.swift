public import Tracking

/// The amounts of a user's deleted data, for the receipt.
public struct ErasureCounts: Hashable, Sendable {
    public var devices = 0
    public var memberships = 0
    public var fixes = 0
    public var paths = 0
    public var pathPoints = 0
    public var alerts = 0
    public var acknowledgements = 0
    /// Messages in chats.
    public var messages = 0
    public var replies = 0
    public var notices = 0
    /// Entries of the user's lists: friends and blocked people.
    public var friends = 0
    public var channels = 0
    /// Links that show where the user is, also those that have ended.
    public var links = 0
    /// Invitations created or received by the user.
    public var invitations = 0
    /// Samples of vital signs.
    public var vitals = 0
    /// Positions from elsewhere.
    public var imported = 0

    public init() {}
}

extension Transaction {
    /// Removes a user who is no longer in any group: from now on nothing shows or identifies them,
    /// and their name is retired. All other data of theirs, or that mentions them, is anonymous and
    /// found by no query; ``continueErasures(atMost:isMention:)`` deletes it later.
    ///
    /// - Parameters:
    ///   - devices: the user's devices; ``DeviceLog/last`` is the newest fix of each.
    ///   - counts: the previous counts.
    public func eraseUser(
        _ user: UserID, devices: [DeviceLog], _ counts: ErasureCounts = ErasureCounts()
    ) throws(StoreError) -> ErasureCounts {
        let parameters = [SQLValue(user)]
        var counts = counts
        try noteAccessChange(of: user)
        if let name = try name(of: user) { try retire(name) }
        for log in devices {
            counts.fixes += try countFixes(of: log)
            counts.replies += try count(
                "SELECT COUNT(*) FROM replies WHERE device_id = ?", [SQLValue(log.device)])
            guard let last = log.last else { continue }
            try driver.execute(
                "INSERT INTO erasures (device_id, next_fix_id) VALUES (?, ?)",
                [SQLValue(log.device), SQLValue(last)])
        }
        for table in StoredTable.all {
            try StoreError.only { try table.hide?(self, user, &counts) }
        }
        try driver.execute(
            """
            INSERT INTO mentions (name, display_name, device_id, request)
            SELECT name, display_name, 0, '' FROM users WHERE id = ?
            """, parameters)
        try driver.execute(
            """
            UPDATE users SET name = '#' || id, display_name = '', first_name = NULL,
                last_name = NULL, email = NULL, password_hash = NULL, created_at_ms = 0,
                email_verified_at_ms = NULL, terms_version = NULL, terms_accepted_at_ms = NULL
            WHERE id = ?
            """, parameters)
        try driver.execute("INSERT INTO erased_users (user_id) VALUES (?)", parameters)
        return counts
    }

    /// Counts the user's data in their groups. Call this before the user leaves them, which may
    /// close them.
    public func countInGroups(of user: UserID, _ counts: inout ErasureCounts) throws(StoreError) {
        for table in StoredTable.all {
            try StoreError.only { try table.count?(self, user, &counts) }
        }
    }

    /// The number of stored fixes of the device, including those whose position was forgotten.
    ///
    /// The chunks' counts are trusted; only the oldest may have lost some to the retention.
    public func countFixes(of log: DeviceLog) throws(StoreError) -> Int {
        guard let last = log.last else { return 0 }
        let chunks = try all(
            """
            SELECT last_fix_id, count FROM fix_runs
            WHERE device_id = ? ORDER BY last_fix_id LIMIT 1
            """, [SQLValue(log.device)]
        ) { row in (FixID(rawValue: try row.integer(0)), Int(try row.integer(1))) }
        guard let oldest = chunks.first else {
            return try fixes(upTo: last, count: DeviceLog.chunkLength).count
        }
        let newest =
            try one(
                "SELECT MAX(last_fix_id) FROM fix_runs WHERE device_id = ?", [SQLValue(log.device)]
            ) { FixID(rawValue: try $0.integer(0)) } ?? oldest.0
        return try fixes(upTo: oldest.0, count: oldest.1).count
            + count(
                """
                SELECT COALESCE(SUM(count), 0) FROM fix_runs
                WHERE device_id = ? AND last_fix_id > ?
                """, [SQLValue(log.device), SQLValue(oldest.0)])
            + fixes(upTo: last, count: DeviceLog.chunkLength).count { $0.id > newest }
    }

    // MARK: Messages about the user in the outbox

    /// Replaces the payload of a message that the broker has not confirmed.
    public func replaceOutgoing(_ id: Int64, payload: [UInt8]) throws(StoreError) {
        try driver.execute(
            "UPDATE outbox SET payload = ? WHERE id = ?", [.blob(payload), .integer(id)])
    }

    /// Empties a message that the broker has not confirmed. The row stays until it is confirmed or
    /// until the next connection: its number must not be reused while the message is in flight.
    public func emptyOutgoing(_ id: Int64) throws(StoreError) {
        try driver.execute(
            """
            UPDATE outbox SET topic = '', payload = ?, correlation_data = NULL WHERE id = ?
            """, [.blob([]), .integer(id)])
    }

    func count(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
        try one(sql, values) { Int(try $0.integer(0)) } ?? 0
    }
}

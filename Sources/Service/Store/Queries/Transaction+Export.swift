public import Contract
public import Tracking

extension Transaction {
    public func groupKey(_ group: GroupID) throws(StoreError) -> GroupKey? {
        // A closed group's key is no longer valid.
        try one("SELECT key FROM groups WHERE id = ?", [SQLValue(group)]) { row in
            GroupKey(try row.text(0))
        } ?? nil
    }

    /// In the order given.
    public func names(of users: [UserID]) throws(StoreError) -> [Name] {
        var names: [Name] = []
        for user in users {
            let found = try one(
                "SELECT name FROM users WHERE id = ? AND id NOT IN \(Transaction.erasedUsers)",
                [SQLValue(user)]
            ) { try $0.name(0) }
            if let found { names.append(found) }
        }
        return names
    }

    // MARK: A history from its beginning

    /// The device's chunks, in order of arrival.
    public func chunks(of device: DeviceID) throws(StoreError) -> [DeviceLog.Chunk] {
        try all(
            """
            SELECT last_fix_id, count, earliest_taken_at_ms, latest_taken_at_ms FROM fix_runs
            WHERE device_id = ? ORDER BY last_fix_id
            """, [SQLValue(device)]
        ) { row in
            DeviceLog.Chunk(
                device: device, last: FixID(rawValue: try row.integer(0)),
                count: Int(try row.integer(1)),
                earliest: Timestamp(milliseconds: try row.integer(2)),
                latest: Timestamp(milliseconds: try row.integer(3)))
        }
    }

    /// A user's saved state.
    public func tracker(of user: UserID) throws(StoreError) -> (SavedTracker, through: FixID)? {
        try one(
            "SELECT through_fix_id, document FROM trackers WHERE user_id = ?", [SQLValue(user)]
        ) { row in
            (try Document.savedTracker(try row.text(1)), FixID(rawValue: try row.integer(0)))
        }
    }

    /// The user's fixes that are not part of the saved state, in order of arrival.
    public func fixes(
        of user: UserID, after id: FixID, _ body: (FixRow) throws -> Void
    ) throws(StoreError) {
        try each(
            """
            SELECT \(Transaction.columns) FROM fixes
            WHERE id > ? AND device_id IN (SELECT id FROM devices WHERE user_id = ?) ORDER BY id
            """, [SQLValue(id), SQLValue(user)]
        ) { try body(try FixRow($0)) }
    }
}

public import Contract
public import Tracking

/// A group as one of its members sees it.
public struct MembershipRow: Sendable {
    /// Memberships are numbered in the order in which people joined.
    public let number: Int64
    public let group: GroupRow
    public let joinedAt: Timestamp
}

/// A path as its owner sees it.
public struct OwnPathRow: Sendable {
    public let path: PathRow
    public let endedAt: Timestamp?
}

extension Transaction {
    public func groupKey(_ group: GroupID) throws(StoreError) -> GroupKey? {
        // A closed group's key is no longer a valid one.
        try one("SELECT key FROM groups WHERE id = ?", [SQLValue(group)]) {
            row throws(StoreError) in GroupKey(try row.text(0))
        } ?? nil
    }

    /// In the order given.
    public func names(of users: [UserID]) throws(StoreError) -> [Name] {
        var names: [Name] = []
        for user in users {
            let found = try one(
                "SELECT name FROM users WHERE id = ? AND id NOT IN \(Transaction.erasedUsers)",
                [SQLValue(user)]
            ) { row throws(StoreError) in try row.name(0) }
            if let found { names.append(found) }
        }
        return names
    }

    // MARK: Pages, each from a given place

    public func memberships(of user: UserID, from number: Int64, atMost limit: Int)
        throws(StoreError) -> [MembershipRow]
    {
        try all(
            """
            SELECT m.id, m.joined_at_ms, g.id, g.key, g.name
            FROM memberships m JOIN groups g ON g.id = m.group_id
            WHERE m.user_id = ? AND m.id >= ? ORDER BY m.id LIMIT ?
            """, [SQLValue(user), .integer(number), .integer(Int64(limit))]
        ) { row throws(StoreError) in
            guard let key = GroupKey(try row.text(3)) else {
                throw StoreError(.decode, reason: "a group's key is damaged")
            }
            return MembershipRow(
                number: try row.integer(0),
                group: GroupRow(
                    id: GroupID(rawValue: try row.integer(2)), key: key, name: try row.text(4)),
                joinedAt: Timestamp(milliseconds: try row.integer(1)))
        }
    }

    /// The first path with this number or a greater one.
    public func path(of user: UserID, from number: Int64) throws(StoreError) -> OwnPathRow? {
        try one(
            """
            SELECT \(PathRow.columns), p.ended_at_ms FROM paths p
            WHERE p.user_id = ? AND p.number >= ? ORDER BY p.number LIMIT 1
            """, [SQLValue(user), .integer(number)]
        ) { row throws(StoreError) in
            OwnPathRow(
                path: try PathRow(row),
                endedAt: try row.optionalInteger(5).map { Timestamp(milliseconds: $0) })
        }
    }

    /// The alerts about a user, newest first.
    public func alerts(about user: UserID, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [AlertRow]
    {
        try alerts(
            "AND user_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
            [
                // "g" sorts after every UUID.
                SQLValue(user), .text(before?.description ?? "g"), .integer(Int64(limit)),
            ])
    }

    /// The alerts that a user has acknowledged, newest alert first.
    public func acknowledgements(by user: UserID, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [(alert: UUIDv7, at: Timestamp)]
    {
        try all(
            """
            SELECT k.alert_id, k.at_ms
            FROM acknowledgements k JOIN alerts a ON a.id = k.alert_id
            WHERE k.user_id = ? AND k.alert_id < ?
                AND a.user_id NOT IN \(Transaction.erasedUsers)
                AND a.group_id NOT IN \(Transaction.closedGroups)
            ORDER BY k.alert_id DESC LIMIT ?
            """,
            [SQLValue(user), .text(before?.description ?? "g"), .integer(Int64(limit))]
        ) { row throws(StoreError) in
            guard let id = UUIDv7(try row.text(0)) else {
                throw StoreError(.decode, reason: "an alert's id is damaged")
            }
            return (id, Timestamp(milliseconds: try row.integer(1)))
        }
    }

    // MARK: A history from its beginning

    /// The device's runs, in order of arrival.
    public func runs(of device: DeviceID) throws(StoreError) -> [DeviceLog.Run] {
        try all(
            """
            SELECT last_fix_id, count, earliest_taken_at_ms, latest_taken_at_ms FROM fix_runs
            WHERE device_id = ? ORDER BY last_fix_id
            """, [SQLValue(device)]
        ) { row throws(StoreError) in
            DeviceLog.Run(
                device: device, last: FixID(rawValue: try row.integer(0)),
                count: Int(try row.integer(1)),
                earliest: Timestamp(milliseconds: try row.integer(2)),
                latest: Timestamp(milliseconds: try row.integer(3)))
        }
    }

    /// What was saved of a user.
    public func tracker(of user: UserID) throws(StoreError) -> (SavedTracker, through: FixID)? {
        try one(
            "SELECT through_fix_id, document FROM trackers WHERE user_id = ?", [SQLValue(user)]
        ) { row throws(StoreError) in
            (try Document.savedTracker(try row.text(1)), FixID(rawValue: try row.integer(0)))
        }
    }

    /// The user's fixes that are not part of what was saved, in order of arrival.
    public func fixes(
        of user: UserID, after id: FixID, _ body: (FixRow) throws(StoreError) -> Void
    ) throws(StoreError) {
        try driver.query(
            """
            SELECT \(Transaction.columns) FROM fixes
            WHERE id > ? AND device_id IN (SELECT id FROM devices WHERE user_id = ?) ORDER BY id
            """, [SQLValue(id), SQLValue(user)]
        ) { row throws(StoreError) in try body(try FixRow(row)) }
    }
}

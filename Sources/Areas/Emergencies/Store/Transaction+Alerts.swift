public import Tracking

/// An alert as stored, with those who have seen it, in the order in which they did.
public struct AlertRow: Sendable {
    public let alert: Alert
    public let user: UserID
    public let acknowledgedBy: [UserID]
}

extension Transaction {
    public func insert(_ alert: Alert, of user: UserID) throws(StoreError) {
        try driver.execute(
            "INSERT INTO alerts (id, group_id, user_id, document) VALUES (?, ?, ?, ?)",
            [
                .text(alert.id.description), SQLValue(alert.group), SQLValue(user),
                .text(Document.text(alert)),
            ])
    }

    public func alert(_ id: UUIDv7) throws(StoreError) -> AlertRow? {
        try alerts("AND id = ?", [.text(id.description)]).first
    }

    /// The alerts of a group, newest first.
    public func alerts(of group: GroupID, from first: UUIDv7? = nil, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [AlertRow]
    {
        try alerts(
            "AND group_id = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT ?",
            [
                // "g" sorts after every UUID.
                SQLValue(group), .text(first?.description ?? ""), .text(before?.description ?? "g"),
                .integer(Int64(limit)),
            ])
    }

    /// From which message and which alert on a member sees those of the group: since they joined.
    ///
    /// - Returns: nil if the user is no member.
    public func seenFrom(by user: UserID, in group: GroupID) throws(StoreError) -> UUIDv7? {
        try one(
            "SELECT chat_from FROM memberships WHERE group_id = ? AND user_id = ?",
            [SQLValue(group), SQLValue(user)]
        ) { row throws(StoreError) in UUIDv7(try row.text(0)) } ?? nil
    }

    /// - Parameter condition: begins with AND.
    func alerts(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [AlertRow]
    {
        let found = try all(
            """
            SELECT user_id, document FROM alerts
            WHERE user_id NOT IN \(Transaction.erasedUsers)
                AND group_id NOT IN \(Transaction.closedGroups) \(condition)
            """, values
        ) { row throws(StoreError) in
            let alert = try Document.alert(try row.text(1))
            return (UserID(rawValue: try row.integer(0)), alert)
        }
        var rows: [AlertRow] = []
        for (user, alert) in found {
            let acknowledged = try all(
                """
                SELECT user_id FROM acknowledgements
                WHERE alert_id = ? AND user_id NOT IN \(Transaction.erasedUsers)
                ORDER BY at_ms, user_id
                """, [.text(alert.id.description)]
            ) { row throws(StoreError) in UserID(rawValue: try row.integer(0)) }
            rows.append(AlertRow(alert: alert, user: user, acknowledgedBy: acknowledged))
        }
        return rows
    }

    /// A repeated acknowledgement changes nothing.
    public func acknowledge(_ alert: UUIDv7, by user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            """
            INSERT INTO acknowledgements (alert_id, user_id, at_ms) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """,
            [.text(alert.description), SQLValue(user), SQLValue(now)])
    }
}

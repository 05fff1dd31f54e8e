public import Tracking

/// A user's acknowledgement of an alert, and their response.
public struct AcknowledgementRow: Sendable {
    public let alert: UUIDv7
    public let at: Timestamp
    public let comingAt: Timestamp?
    public let calledAt: Timestamp?
}

extension Transaction {
    // MARK: Export

    /// Returns the alerts about a user, newest first.
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

    /// Returns the alerts that a user has acknowledged, newest alert first.
    public func acknowledgements(by user: UserID, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [AcknowledgementRow]
    {
        try all(
            """
            SELECT k.alert_id, k.at_ms, k.coming_at_ms, k.called_at_ms
            FROM acknowledgements k JOIN alerts a ON a.id = k.alert_id
            WHERE k.user_id = ? AND k.alert_id < ?
                AND a.user_id NOT IN \(Transaction.erasedUsers)
                AND a.group_id NOT IN \(Transaction.closedGroups)
            ORDER BY k.alert_id DESC LIMIT ?
            """,
            [SQLValue(user), .text(before?.description ?? "g"), .integer(Int64(limit))]
        ) { row in
            guard let id = UUIDv7(try row.text(0)) else {
                throw StoreError(.decode, reason: "an alert's id is damaged")
            }
            return AcknowledgementRow(
                alert: id, at: Timestamp(milliseconds: try row.integer(1)),
                comingAt: try row.optionalTime(2), calledAt: try row.optionalTime(3))
        }
    }

    // MARK: Retention

    /// Deletes alerts, oldest first, after their acknowledgements.
    ///
    /// - Parameter id: alerts older than this one are deleted.
    public func deleteAlerts(before id: UUIDv7, atMost limit: Int) throws(StoreError) -> Int {
        let acknowledgements = try driver.executeCounted(
            """
            DELETE FROM acknowledgements WHERE (alert_id, user_id) IN (
                SELECT alert_id, user_id FROM acknowledgements WHERE alert_id < ?
                ORDER BY alert_id, user_id LIMIT ?)
            """, [.text(id.description), .integer(Int64(limit))])
        guard acknowledgements < limit else { return acknowledgements }
        return try acknowledgements
            + driver.executeCounted(
                """
                DELETE FROM alerts WHERE id IN (
                    SELECT id FROM alerts WHERE id < ? ORDER BY id LIMIT ?)
                """, [.text(id.description), .integer(Int64(limit - acknowledgements))])
    }

    // MARK: Erasure

    /// Deletes alerts in small batches, after their acknowledgements.
    func eraseAlerts(_ column: String, _ owner: Int64, _ rest: inout Int)
        throws(StoreError)
    {
        let some = "(SELECT id FROM alerts WHERE \(column) = ? ORDER BY id LIMIT ?)"
        while rest > 0 {
            let part = min(rest, Transaction.alertsAtATime)
            rest -= try driver.executeCounted(
                """
                DELETE FROM acknowledgements WHERE (alert_id, user_id) IN
                    (SELECT alert_id, user_id FROM acknowledgements WHERE alert_id IN \(some) LIMIT ?)
                """, [.integer(owner), .integer(Int64(part)), .integer(Int64(rest))])
            // The first alerts have no acknowledgements left.
            let free = min(rest, part)
            guard free > 0 else { return }
            let deleted = try driver.executeCounted(
                "DELETE FROM alerts WHERE id IN \(some)", [.integer(owner), .integer(Int64(free))])
            rest -= deleted
            guard deleted == free else { return }
        }
    }

    private static let alertsAtATime = 50
}

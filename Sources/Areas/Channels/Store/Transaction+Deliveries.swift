internal import Contract
public import Tracking

/// Deliveries, written with the commit that causes them.
extension Transaction {
    /// Inserts a delivery, unless the same message is already on its way to the channel.
    public func insert(_ delivery: DeliveryRow) throws(StoreError) {
        let message = delivery.message
        try driver.execute(
            """
            INSERT INTO deliveries
                (channel_id, message_id, user_id, about_id, group_id, alert_id, kind, title, words,
                page_view, details, at_ms, urgency, attempts, due_at_ms, expires_at_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [
                .text(delivery.channel.description), .text(message.id), SQLValue(delivery.user),
                delivery.about.map { SQLValue($0) } ?? .null,
                delivery.group.map { SQLValue($0) } ?? .null,
                SQLValue(message.alert?.description), .text(message.kind), .text(message.title),
                .text(message.text), .text(message.view), SQLValue(message.data),
                SQLValue(message.at), .integer(Int64(delivery.urgency.rawValue)),
                .integer(Int64(delivery.attempts)), SQLValue(delivery.due),
                SQLValue(delivery.expiresAt),
            ])
    }

    /// Defers a delivery.
    public func putOff(_ delivery: DeliveryRow) throws(StoreError) {
        try driver.execute(
            """
            UPDATE deliveries SET attempts = ?, due_at_ms = ?, lent = 0
            WHERE channel_id = ? AND message_id = ?
            """,
            [
                .integer(Int64(delivery.attempts)), SQLValue(delivery.due),
                .text(delivery.channel.description), .text(delivery.message.id),
            ])
    }

    public func deleteDelivery(of message: String, to channel: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM deliveries WHERE channel_id = ? AND message_id = ?",
            [.text(channel.description), .text(message)])
    }

    /// Deletes the pending deliveries of an acknowledged alert.
    public func deleteDeliveries(ofAlert alert: UUIDv7, to reader: UserID?) throws(StoreError) {
        try driver.execute(
            "DELETE FROM deliveries WHERE alert_id = ? AND user_id = COALESCE(?, user_id)",
            [.text(alert.description), reader.map { SQLValue($0) } ?? .null])
    }

    /// Deletes pending deliveries of one kind to a person.
    public func deleteDeliveries(ofKind kind: String, to user: UserID) throws(StoreError) {
        try driver.execute(
            "DELETE FROM deliveries WHERE user_id = ? AND kind = ?", [SQLValue(user), .text(kind)])
    }

    /// Suspends the pending deliveries of an answered call, or resumes them unchanged if the answer
    /// is withdrawn. A suspended delivery is due after it has expired, and so is never sent.
    ///
    /// - Parameters:
    ///   - user: the caller.
    ///   - time: how long calls are of use.
    public func suspendDeliveries(
        ofCallsOf user: UserID, in group: GroupID, _ isSuspended: Bool, usefulFor time: Duration
    ) throws(StoreError) {
        let shift = time.milliseconds
        try driver.execute(
            """
            UPDATE deliveries SET suspended = 1 - suspended, due_at_ms = due_at_ms + ?
            WHERE about_id = ? AND group_id = ? AND alert_id IS NOT NULL AND urgency = ?
                AND suspended = ?
            """,
            [
                .integer(isSuspended ? shift : -shift), SQLValue(user), SQLValue(group),
                .integer(Int64(DeliveryRow.Urgency.sos.rawValue)), .integer(isSuspended ? 0 : 1),
            ])
    }

    /// Deletes pending deliveries about a person's calls for help in a group, which a newer one
    /// supersedes.
    public func deleteDeliveries(
        ofCallsOf user: UserID, in group: GroupID, to channel: UUIDv7
    ) throws(StoreError) {
        try driver.execute(
            """
            DELETE FROM deliveries
            WHERE channel_id = ? AND about_id = ? AND group_id = ?
                AND kind IN ('sos', 'sos-stopped', 'sos-left', 'in-need', 'unanswered',
                    'assisted')
            """, [.text(channel.description), SQLValue(user), SQLValue(group)])
    }

    public func delivery(of message: String, to channel: UUIDv7)
        throws(StoreError) -> DeliveryRow?
    {
        try deliveries(
            "WHERE channel_id = ? AND message_id = ?",
            [.text(channel.description), .text(message)]
        ).first
    }

    /// Returns the deliveries of a message to a user's channels.
    public func deliveries(of message: String, to user: UserID)
        throws(StoreError) -> [DeliveryRow]
    {
        try deliveries(
            """
            WHERE channel_id IN (SELECT id FROM channels WHERE user_id = ?) AND message_id = ?
            ORDER BY channel_id
            """, [SQLValue(user), .text(message)])
    }

    /// Returns the due deliveries of one urgency, the longest due first.
    public func deliveries(_ urgency: DeliveryRow.Urgency, dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [DeliveryRow]
    {
        try deliveries(
            """
            WHERE urgency = ? AND due_at_ms <= ? ORDER BY due_at_ms, channel_id, message_id LIMIT ?
            """, [.integer(Int64(urgency.rawValue)), SQLValue(now), .integer(Int64(limit))])
    }

    /// Deletes a channel's deliveries except the given number; the most urgent and newest are kept.
    public func keepDeliveries(to channel: UUIDv7, newest count: Int) throws(StoreError) {
        try driver.execute(
            """
            DELETE FROM deliveries WHERE (channel_id, message_id) IN
                (SELECT channel_id, message_id FROM deliveries WHERE channel_id = ?
                ORDER BY urgency DESC, at_ms DESC, message_id LIMIT 1000 OFFSET ?)
            """, [.text(channel.description), .integer(Int64(count))])
    }

    // MARK: Deliveries in progress

    /// Marks the delivery as in progress: it is not due again before the loan ends.
    public func lend(_ delivery: DeliveryRow, until end: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE deliveries SET lent = 1, due_at_ms = ? WHERE channel_id = ? AND message_id = ?",
            [SQLValue(end), .text(delivery.channel.description), .text(delivery.message.id)])
    }

    /// Returns the deliveries in progress, and whether the last one of the channel failed.
    public func lentDeliveries(at now: Timestamp)
        throws(StoreError) -> [(channel: UUIDv7, user: UserID, isFailing: Bool)]
    {
        try all(
            """
            SELECT d.channel_id, d.user_id, c.failed_at_ms
            FROM deliveries d JOIN channels c ON c.id = d.channel_id
            WHERE d.lent = 1 AND d.due_at_ms > ?
            """, [SQLValue(now)]
        ) { row in
            guard let channel = UUIDv7(try row.text(0)) else {
                throw StoreError(.decode, reason: "a delivery is damaged")
            }
            return (channel, UserID(rawValue: try row.integer(1)), !row.isNull(2))
        }
    }

    /// Ends the loans of a process that has ended: all deliveries are due now, except suspended
    /// ones.
    public func endLoans(at now: Timestamp) throws(StoreError) {
        try driver.execute(
            """
            UPDATE deliveries SET lent = 0,
                due_at_ms = CASE WHEN suspended = 1 THEN due_at_ms ELSE ? END
            WHERE lent = 1
            """, [SQLValue(now)])
    }

    /// Returns when the first delivery after a moment is due; nil for the first of all.
    public func nextDelivery(after moment: Timestamp? = nil) throws(StoreError) -> Timestamp? {
        try one(
            "SELECT MIN(due_at_ms) FROM deliveries WHERE due_at_ms > ?",
            [.integer(moment?.milliseconds ?? Int64.min)]
        ) { try $0.optionalTime(0) } ?? nil
    }

    func deliveries(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [DeliveryRow]
    {
        try all(
            """
            SELECT channel_id, message_id, user_id, about_id, group_id, alert_id, kind, title, words,
                page_view, details, at_ms, urgency, attempts, due_at_ms, expires_at_ms, held,
                suspended
            FROM deliveries \(condition)
            """, values
        ) { row in
            guard let channel = UUIDv7(try row.text(0)),
                let urgency = DeliveryRow.Urgency(rawValue: Int(try row.integer(12)))
            else { throw StoreError(.decode, reason: "a delivery is damaged") }
            let message = ChannelMessage(
                id: try row.text(1), kind: try row.text(6), title: try row.text(7),
                text: try row.text(8), at: Timestamp(milliseconds: try row.integer(11)),
                view: try row.text(9), alert: try row.optionalText(5).flatMap { UUIDv7($0) },
                data: row.isNull(10) ? nil : try row.blob(10))
            return DeliveryRow(
                channel: channel, user: UserID(rawValue: try row.integer(2)), message: message,
                about: try row.optionalInteger(3).map { UserID(rawValue: $0) },
                group: try row.optionalInteger(4).map { GroupID(rawValue: $0) },
                urgency: urgency, attempts: Int(try row.integer(13)),
                due: Timestamp(milliseconds: try row.integer(14)),
                expiresAt: Timestamp(milliseconds: try row.integer(15)),
                isHeld: try row.integer(16) != 0, isSuspended: try row.integer(17) != 0)
        }
    }
}

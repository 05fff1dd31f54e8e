internal import Contract
public import Tracking

/// Deliveries held for a channel's quiet hours.
extension Transaction {
    /// Holds a delivery until it is due. It replaces a held one with the same news about the same
    /// person in the same group.
    public func hold(_ delivery: DeliveryRow) throws(StoreError) {
        let message = delivery.message
        try driver.execute(
            """
            UPDATE deliveries SET held = 1, lent = 0, due_at_ms = ?, expires_at_ms = ?
            WHERE channel_id = ? AND message_id = ?
            """,
            [
                SQLValue(delivery.due), SQLValue(delivery.expiresAt),
                .text(delivery.channel.description), .text(message.id),
            ])
        guard let about = delivery.about, let group = delivery.group else { return }
        try driver.execute(
            """
            DELETE FROM deliveries
            WHERE channel_id = ? AND held = 1 AND about_id = ? AND group_id = ? AND kind = ?
                AND at_ms < ?
            """,
            [
                .text(delivery.channel.description), SQLValue(about), SQLValue(group),
                .text(message.kind), SQLValue(message.at),
            ])
    }

    /// Returns the deliveries that are held, or have been and are not in progress: a bounded
    /// number.
    public func heldDeliveries(to channel: UUIDv7) throws(StoreError) -> [DeliveryRow] {
        try deliveries(
            "WHERE channel_id = ? AND held = 1 AND lent = 0 ORDER BY message_id",
            [.text(channel.description)])
    }

    public func deleteHeldDeliveries(to channel: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM deliveries WHERE channel_id = ? AND held = 1 AND lent = 0",
            [.text(channel.description)])
    }

    /// Makes held deliveries due, because the hours have changed.
    public func releaseHeldDeliveries(to channel: UUIDv7, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            """
            UPDATE deliveries SET due_at_ms = ?
            WHERE channel_id = ? AND held = 1 AND lent = 0 AND due_at_ms > ?
            """, [SQLValue(now), .text(channel.description), SQLValue(now)])
    }
}

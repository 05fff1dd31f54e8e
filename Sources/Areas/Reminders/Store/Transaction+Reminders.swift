public import Contract
public import Tracking

extension Transaction {
    public func save(_ row: ReminderRow) throws(StoreError) {
        try save(row, ReminderRow.record)
    }

    public func reminder(_ id: UUIDv7, of user: UserID) throws(StoreError) -> ReminderRow? {
        try reminders(
            "WHERE id = ? AND user_id = ?", [.text(id.description), SQLValue(user)]
        ).first
    }

    /// - Parameter last: an id; empty at the beginning.
    public func reminders(of user: UserID, after last: String, limit: Int)
        throws(StoreError) -> [ReminderRow]
    {
        try reminders(
            "WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
            [SQLValue(user), .text(last), .integer(Int64(limit))])
    }

    public func countReminders(of user: UserID) throws(StoreError) -> Int {
        try count("SELECT COUNT(*) FROM reminders WHERE user_id = ?", [SQLValue(user)])
    }

    /// Returns the due reminders, the earliest first.
    public func dueReminders(by now: Timestamp, limit: Int) throws(StoreError) -> [ReminderRow] {
        try reminders(
            """
            WHERE next_at_ms <= ? AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY next_at_ms, id LIMIT ?
            """, [SQLValue(now), .integer(Int64(limit))])
    }

    /// Returns when the next one is due.
    public func nextReminder() throws(StoreError) -> Timestamp? {
        try one(
            """
            SELECT next_at_ms FROM reminders
            WHERE next_at_ms IS NOT NULL AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY next_at_ms LIMIT 1
            """, []
        ) { Timestamp(milliseconds: try $0.integer(0)) }
    }

    /// Returns the reminders that wait for their owners to be near.
    public func armedReminders() throws(StoreError) -> [ReminderRow] {
        try reminders(
            "WHERE is_armed = 1 AND user_id NOT IN \(Transaction.erasedUsers) ORDER BY id", [])
    }

    /// Returns the reminders sent after that time.
    public func reminders(toldAfter time: Timestamp, limit: Int)
        throws(StoreError) -> [ReminderRow]
    {
        try reminders(
            "WHERE told_at_ms > ? ORDER BY told_at_ms LIMIT ?",
            [SQLValue(time), .integer(Int64(limit))])
    }

    /// Returns the reminders that wait for a place to open.
    public func remindersOfOpening(_ place: PlaceID, after last: String, limit: Int)
        throws(StoreError) -> [ReminderRow]
    {
        try reminders(
            """
            WHERE place = ? AND condition = 'opens' AND id > ?
                AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY id LIMIT ?
            """, [.text(place.text), .text(last), .integer(Int64(limit))])
    }

    /// Returns the places whose opening reminders wait for.
    public func placesOfOpening() throws(StoreError) -> [Name] {
        try all(
            """
            SELECT DISTINCT place FROM reminders
            WHERE condition = 'opens' AND user_id NOT IN \(Transaction.erasedUsers)
            """, []
        ) { Name(try $0.text(0)) }.compactMap { $0 }
    }

    /// - Returns: whether it existed.
    public func deleteReminder(_ id: UUIDv7, of user: UserID) throws(StoreError) -> Bool {
        try driver.executeCounted(
            "DELETE FROM reminders WHERE id = ? AND user_id = ?",
            [.text(id.description), SQLValue(user)]) > 0
    }

    /// Deletes reminders that were sent and will not be sent again.
    public func deleteReminders(toldBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM reminders WHERE id IN (
                SELECT id FROM reminders WHERE told_at_ms < ?
                    AND next_at_ms IS NULL AND is_armed = 0 AND rrule IS NULL
                ORDER BY told_at_ms LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }

    private func reminders(_ rest: String, _ values: [SQLValue])
        throws(StoreError) -> [ReminderRow]
    {
        try rows(ReminderRow.record, rest, values)
    }
}

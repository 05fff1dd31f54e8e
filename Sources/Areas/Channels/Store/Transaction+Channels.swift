internal import Contract
public import Tracking

extension Transaction {
    public func insert(_ channel: ChannelRow) throws(StoreError) {
        try insert(channel, ChannelRow.record)
    }

    /// Saves a channel's variable columns.
    public func save(_ channel: ChannelRow) throws(StoreError) {
        try driver.execute(
            """
            UPDATE channels SET label = ?, news = ?, code_hash = ?, code_attempts = ?,
                confirmed_at_ms = ?, tried_at_ms = ?, worked_at_ms = ?, failed_at_ms = ?,
                failure = ?, quiet_from = ?, quiet_to = ?, quiet_zone = ?
            WHERE id = ?
            """,
            [.text(channel.label)] + ColumnType.news.write(channel.news)
                + [
                    SQLValue(channel.codeHash), .integer(Int64(channel.codeAttempts)),
                    SQLValue(channel.confirmedAt), SQLValue(channel.triedAt),
                    SQLValue(channel.workedAt),
                ] + ColumnType.failure.write(channel.failure)
                + ColumnType.quiet.write(channel.quiet) + [.text(channel.id.description)])
    }

    /// Deletes a channel and its deliveries.
    public func deleteChannel(_ id: UUIDv7) throws(StoreError) {
        for statement in [
            "DELETE FROM deliveries WHERE channel_id = ?", "DELETE FROM channels WHERE id = ?",
        ] {
            try driver.execute(statement, [.text(id.description)])
        }
    }

    // MARK: Lookup

    public func channel(_ id: UUIDv7) throws(StoreError) -> ChannelRow? {
        try channels("WHERE id = ?", [.text(id.description)]).first
    }

    public func channels(_ ids: [UUIDv7]) throws(StoreError) -> [UUIDv7: ChannelRow] {
        guard !ids.isEmpty else { return [:] }
        let list = SQLList(ids.map { .text($0.description) })
        let found = try channels("WHERE id IN \(list.places)", list.values)
        return Dictionary(found.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }

    /// Returns a user's channels, the oldest first: a bounded number.
    public func channels(of user: UserID) throws(StoreError) -> [ChannelRow] {
        try channels("WHERE user_id = ? ORDER BY id", [SQLValue(user)])
    }

    public func channels(of device: DeviceID) throws(StoreError) -> [ChannelRow] {
        try channels("WHERE device_id = ? ORDER BY id", [SQLValue(device)])
    }

    /// Returns the confirmed channels of a group's members.
    public func channels(ofMembersOf group: GroupID) throws(StoreError) -> [ChannelRow] {
        try channels(
            """
            WHERE user_id IN (SELECT user_id FROM memberships WHERE group_id = ?)
                AND confirmed_at_ms IS NOT NULL ORDER BY id
            """, [SQLValue(group)])
    }

    /// Returns all users' channels at an address.
    public func channels(at address: String) throws(StoreError) -> [ChannelRow] {
        try channels("WHERE address = ? ORDER BY id", [.text(address)])
    }

    /// Returns the number of unconfirmed channels at an address, and when the newest was added.
    public func unconfirmedChannels(at address: String)
        throws(StoreError) -> (count: Int, newest: Timestamp?)
    {
        try one(
            """
            SELECT COUNT(*), MAX(added_at_ms) FROM channels
            WHERE address = ? AND confirmed_at_ms IS NULL
            """, [.text(address)]
        ) { row in (Int(try row.integer(0)), try row.optionalTime(1)) } ?? (0, nil)
    }

    /// Returns confirmed channels that were last tried before a moment, the longest ago first.
    public func channels(triedBefore moment: Timestamp, atMost limit: Int)
        throws(StoreError) -> [ChannelRow]
    {
        try channels(
            """
            WHERE confirmed_at_ms IS NOT NULL AND COALESCE(tried_at_ms, added_at_ms) < ?
                AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY COALESCE(tried_at_ms, added_at_ms), id LIMIT ?
            """, [SQLValue(moment), .integer(Int64(limit))])
    }

    private func channels(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [ChannelRow]
    {
        try rows(ChannelRow.record, condition, values)
    }
}

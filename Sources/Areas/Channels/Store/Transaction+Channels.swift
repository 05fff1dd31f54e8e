internal import Contract
public import Tracking

extension Transaction {
    public func insert(_ channel: ChannelRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO channels
                (id, user_id, device_id, kind, address, label, public_key, secret, news,
                added_at_ms, code_hash, code_attempts, confirmed_at_ms)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                .text(channel.id.description), SQLValue(channel.user),
                channel.device.map { SQLValue($0) } ?? .null, .text(channel.kind.rawValue),
                .text(channel.address), .text(channel.label), SQLValue(channel.publicKey),
                SQLValue(channel.secret), .text(Transaction.text(channel.news)),
                SQLValue(channel.addedAt), SQLValue(channel.codeHash),
                .integer(Int64(channel.codeAttempts)), SQLValue(channel.confirmedAt),
            ])
    }

    /// Saves what changes in a channel's life.
    public func save(_ channel: ChannelRow) throws(StoreError) {
        try driver.execute(
            """
            UPDATE channels SET label = ?, news = ?, code_hash = ?, code_attempts = ?,
                confirmed_at_ms = ?, tried_at_ms = ?, worked_at_ms = ?, failed_at_ms = ?,
                failure = ?, quiet_from = ?, quiet_to = ?, quiet_zone = ?
            WHERE id = ?
            """,
            [
                .text(channel.label), .text(Transaction.text(channel.news)),
                SQLValue(channel.codeHash), .integer(Int64(channel.codeAttempts)),
                SQLValue(channel.confirmedAt), SQLValue(channel.triedAt),
                SQLValue(channel.workedAt), SQLValue(channel.failure?.at),
                SQLValue(channel.failure?.reason.rawValue),
                SQLValue(channel.quiet.map { Int64($0.from) }),
                SQLValue(channel.quiet.map { Int64($0.to) }), SQLValue(channel.quiet?.timeZone),
                .text(channel.id.description),
            ])
    }

    /// Deletes a channel and everything on its way there.
    public func deleteChannel(_ id: UUIDv7) throws(StoreError) {
        for statement in [
            "DELETE FROM deliveries WHERE channel_id = ?", "DELETE FROM channels WHERE id = ?",
        ] {
            try driver.execute(statement, [.text(id.description)])
        }
    }

    // MARK: Finding

    public func channel(_ id: UUIDv7) throws(StoreError) -> ChannelRow? {
        try channels("WHERE id = ?", [.text(id.description)]).first
    }

    /// A user's channels, the oldest first: a bounded number.
    public func channels(of user: UserID) throws(StoreError) -> [ChannelRow] {
        try channels("WHERE user_id = ? ORDER BY id", [SQLValue(user)])
    }

    public func channels(of device: DeviceID) throws(StoreError) -> [ChannelRow] {
        try channels("WHERE device_id = ? ORDER BY id", [SQLValue(device)])
    }

    /// The confirmed channels of a group's members.
    public func channels(ofMembersOf group: GroupID) throws(StoreError) -> [ChannelRow] {
        try channels(
            """
            WHERE user_id IN (SELECT user_id FROM memberships WHERE group_id = ?)
                AND confirmed_at_ms IS NOT NULL ORDER BY id
            """, [SQLValue(group)])
    }

    /// Everybody's channels at an address.
    public func channels(at address: String) throws(StoreError) -> [ChannelRow] {
        try channels("WHERE address = ? ORDER BY id", [.text(address)])
    }

    /// The number of unconfirmed channels at an address, and when the newest was added.
    public func unconfirmedChannels(at address: String)
        throws(StoreError) -> (count: Int, newest: Timestamp?)
    {
        try one(
            """
            SELECT COUNT(*), MAX(added_at_ms) FROM channels
            WHERE address = ? AND confirmed_at_ms IS NULL
            """, [.text(address)]
        ) { row throws(StoreError) in
            (Int(try row.integer(0)), try row.optionalTime(1))
        } ?? (0, nil)
    }

    /// Confirmed channels that were tried last before a moment, the longest ago first.
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
        try all(
            """
            SELECT id, user_id, device_id, kind, address, label, public_key, secret, news,
                added_at_ms, code_hash, code_attempts, confirmed_at_ms, tried_at_ms,
                worked_at_ms, failed_at_ms, failure, quiet_from, quiet_to, quiet_zone
            FROM channels \(condition)
            """, values
        ) { row throws(StoreError) in
            guard let id = UUIDv7(try row.text(0)),
                let kind = ChannelKind(rawValue: try row.text(3))
            else { throw StoreError(.decode, reason: "a channel is damaged") }
            var failure: Channel.Failure?
            if let at = try row.optionalTime(15), let text = try row.optionalText(16),
                let reason = DeliveryFailure(rawValue: text)
            {
                failure = .init(at: at, reason: reason)
            }
            var quiet: QuietHours?
            if let from = try row.optionalInteger(17), let to = try row.optionalInteger(18),
                let zone = try row.optionalText(19)
            {
                quiet = QuietHours(from: Int(from), to: Int(to), timeZone: zone)
            }
            return ChannelRow(
                id: id, user: UserID(rawValue: try row.integer(1)),
                device: try row.optionalInteger(2).map { DeviceID(rawValue: $0) }, kind: kind,
                address: try row.text(4), label: try row.text(5),
                publicKey: row.isNull(6) ? nil : try row.blob(6),
                secret: row.isNull(7) ? nil : try row.blob(7),
                news: Set(
                    try row.text(8).split(separator: ",").compactMap { News(rawValue: String($0)) }),
                addedAt: Timestamp(milliseconds: try row.integer(9)),
                codeHash: row.isNull(10) ? nil : try row.blob(10),
                codeAttempts: Int(try row.integer(11)), confirmedAt: try row.optionalTime(12),
                triedAt: try row.optionalTime(13), workedAt: try row.optionalTime(14),
                failure: failure, quiet: quiet)
        }
    }

    private static func text(_ news: Set<News>) -> String {
        news.map(\.rawValue).sorted().joined(separator: ",")
    }
}

import Contract
public import Tracking

/// A stored observer.
public struct ObserverRow: Hashable, Sendable {
    public let id: UUIDv7
    public let group: GroupID
    public let user: UserID
    public let name: String
    public let at: Timestamp

    public init(id: UUIDv7, group: GroupID, user: UserID, name: String, at: Timestamp) {
        (self.id, self.group, self.user, self.name, self.at) = (id, group, user, name, at)
    }

    static let record = Record<ObserverRow>(
        "observers",
        Column("id", .id, \.id), Column("group_id", .number, \.group),
        Column("user_id", .number, \.user), Column("name", .text, \.name),
        Column("at_ms", .time, \.at)
    ) { ObserverRow(id: $0, group: $1, user: $2, name: $3, at: $4) }
}

extension Transaction {
    /// - Parameter hash: SHA-256 of the token's secret, which is not stored.
    public func insert(_ observer: ObserverRow, tokenHash hash: [UInt8]) throws(StoreError) {
        try insert(observer, ObserverRow.record, with: [("token_hash", .blob(hash))])
        try noteAccessChange(of: Grant(.observer, observer.id))
    }

    /// Returns the observers of all groups, the oldest first.
    public func observers() throws(StoreError) -> [ObserverRow] {
        try rows(
            ObserverRow.record,
            """
            WHERE group_id NOT IN \(Transaction.closedGroups)
                AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY id
            """)
    }

    /// Returns how many the person has created since then, including ended ones, as far as the
    /// notices about them are kept.
    public func countObserversMade(by user: UserID, since: Timestamp) throws(StoreError) -> Int {
        try count(
            """
            SELECT COUNT(*) FROM notices
            WHERE user_id = ? AND by_id = ? AND kind = ? AND at_ms > ?
            """,
            [
                SQLValue(user), SQLValue(user), .text(NoticeKind.observerAdded.filed),
                SQLValue(since),
            ])
    }

    func access(ofObserver observer: UUIDv7) throws(StoreError) -> GrantAccess? {
        let found = try one(
            """
            SELECT o.token_hash, g.key, u.name FROM observers o
            JOIN groups g ON g.id = o.group_id JOIN users u ON u.id = o.user_id
            WHERE o.id = ?
            """, [.text(observer.description)]
        ) { row in (hash: try row.blob(0), key: try row.text(1), maker: try row.text(2)) }
        // An erased user no longer has a name.
        guard let found, let maker = Name(found.maker) else { return nil }
        guard let key = GroupKey(found.key) else {
            throw StoreError(.decode, reason: "a group's key is damaged")
        }
        return GrantAccess(
            tokenHash: found.hash, maker: maker, facts: AccessFacts(groups: [key]))
    }

    /// Deletes an observer: from the end of the transaction on, the gate shows it nothing.
    public func deleteObserver(_ observer: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM observers WHERE id = ?", [.text(observer.description)])
        try noteAccessChange(of: Grant(.observer, observer))
    }

    func observerItems(of user: UserID, after last: String, atMost limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        try all(
            """
            SELECT o.id, o.name, o.at_ms, g.key FROM observers o JOIN groups g ON g.id = o.group_id
            WHERE o.user_id = ? AND o.id > ? ORDER BY o.id LIMIT ?
            """, [SQLValue(user), .text(last), .integer(Int64(limit))]
        ) { row in
            guard let id = UUIDv7(try row.text(0)), let group = GroupKey(try row.text(3)) else {
                throw StoreError(.decode, reason: "an observer is damaged")
            }
            return StoredTable.ItemRow(
                place: id.description,
                item: .observer(
                    id, group, name: try row.text(1),
                    since: Timestamp(milliseconds: try row.integer(2))))
        }
    }
}

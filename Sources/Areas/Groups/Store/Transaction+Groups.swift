public import Contract
public import Tracking

/// A stored group.
public struct GroupRow: Sendable {
    public let id: GroupID
    public let key: GroupKey
    public let name: String
    /// The last removal of a member by another.
    public let removedAt: Timestamp?

    public init(id: GroupID, key: GroupKey, name: String, removedAt: Timestamp? = nil) {
        self.id = id
        self.key = key
        self.name = name
        self.removedAt = removedAt
    }
}

/// A group as one of its members sees it.
public struct MembershipRow: Sendable {
    /// Memberships are numbered in the order in which people joined.
    public let number: Int64
    public let group: GroupRow
    public let joinedAt: Timestamp
}

extension Transaction {
    // MARK: Groups

    public func insertGroup(_ key: GroupKey, name: String, at now: Timestamp)
        throws(StoreError) -> GroupID
    {
        try identifier(
            "INSERT INTO groups (id, key, name, created_at_ms) VALUES (?, ?, ?, ?) RETURNING id",
            [try nextNumber(of: .groups), .text(key.text), .text(name), SQLValue(now)])
    }

    public func renameGroup(_ group: GroupID, to name: String) throws(StoreError) {
        try driver.execute(
            "UPDATE groups SET name = ? WHERE id = ?", [.text(name), SQLValue(group)])
    }

    public func noteRemoval(from group: GroupID, at now: Timestamp) throws(StoreError) {
        try driver.execute(
            "UPDATE groups SET removed_at_ms = ? WHERE id = ?", [SQLValue(now), SQLValue(group)])
    }

    public func groups() throws(StoreError) -> [GroupRow] {
        try all(
            """
            SELECT id, key, name, removed_at_ms FROM groups WHERE id NOT IN \(Transaction.closedGroups)
            ORDER BY id
            """
        ) { row in
            guard let key = GroupKey(try row.text(1)) else {
                throw StoreError(.decode, reason: "a group's key is damaged")
            }
            return GroupRow(
                id: GroupID(rawValue: try row.integer(0)), key: key, name: try row.text(2),
                removedAt: try row.optionalTime(3))
        }
    }

    // MARK: Memberships

    /// - Parameter first: the first chat message that the user sees; nil if none.
    public func insertMembership(
        _ group: GroupID, _ user: UserID, at now: Timestamp, chatFrom first: UUIDv7? = nil
    ) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO memberships (group_id, user_id, joined_at_ms, chat_from)
            VALUES (?, ?, ?, ?)
            """,
            [SQLValue(group), SQLValue(user), SQLValue(now), SQLValue(first?.description)])
        try noteAccessChange(of: user)
    }

    public func deleteMembership(_ group: GroupID, _ user: UserID) throws(StoreError) {
        try deletePresence(of: user, in: group)
        try driver.execute(
            "DELETE FROM memberships WHERE group_id = ? AND user_id = ?",
            [SQLValue(group), SQLValue(user)])
        try noteAccessChange(of: user)
    }

    public func memberships(of user: UserID, from number: Int64, atMost limit: Int)
        throws(StoreError) -> [MembershipRow]
    {
        try all(
            """
            SELECT m.id, m.joined_at_ms, g.id, g.key, g.name
            FROM memberships m JOIN groups g ON g.id = m.group_id
            WHERE m.user_id = ? AND m.id >= ? ORDER BY m.id LIMIT ?
            """, [SQLValue(user), .integer(number), .integer(Int64(limit))]
        ) { row in
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
}

internal import Contract
public import Tracking

/// A friend on a user's list.
public struct FriendRow: Hashable, Sendable {
    public let friend: UserID
    public let addedAt: Timestamp
    /// The time since which the friend sees the user's position; nil if they do not.
    public let sharedSince: Timestamp?
    /// Whether the friend also has the user on their list.
    public let isMutual: Bool
    /// The time since which the user sees the friend's position; nil if they do not.
    public let visibleSince: Timestamp?
}

/// A sharer, a blocked user or a group member, with the time of the relation.
public struct AcquaintanceRow: Hashable, Sendable {
    public let user: UserID
    public let at: Timestamp
}

extension Transaction {
    // MARK: A user's list

    public func insertFriend(_ friend: UserID, of user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            "INSERT INTO friends (user_id, friend_id, added_at_ms) VALUES (?, ?, ?)",
            [SQLValue(user), SQLValue(friend), SQLValue(now)])
    }

    /// - Returns: whether the friend was on the list.
    public func deleteFriend(_ friend: UserID, of user: UserID) throws(StoreError) -> Bool {
        let count = try driver.executeCounted(
            "DELETE FROM friends WHERE user_id = ? AND friend_id = ?",
            [SQLValue(user), SQLValue(friend)])
        if count > 0 { try noteAccessChange(of: friend) }
        return count > 0
    }

    /// Nil for a user who is not on the list.
    public func friend(_ friend: UserID, of user: UserID) throws(StoreError) -> FriendRow? {
        try friends("AND f.friend_id = ?", [SQLValue(user), SQLValue(friend)]).first
    }

    /// Returns the friends after this name, ordered by name.
    public func friends(of user: UserID, after name: String = "", atMost limit: Int)
        throws(StoreError) -> [FriendRow]
    {
        try friends(
            "AND u.name > ? ORDER BY u.name LIMIT ?",
            [SQLValue(user), .text(name), .integer(Int64(limit))])
    }

    private func friends(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [FriendRow]
    {
        try all(
            """
            SELECT f.friend_id, f.added_at_ms, f.shared_since_ms, b.added_at_ms, b.shared_since_ms
            FROM friends f JOIN users u ON u.id = f.friend_id
            LEFT JOIN friends b ON b.user_id = f.friend_id AND b.friend_id = f.user_id
            WHERE f.user_id = ? \(condition)
            """, values
        ) { row in
            FriendRow(
                friend: UserID(rawValue: try row.integer(0)),
                addedAt: Timestamp(milliseconds: try row.integer(1)),
                sharedSince: try row.optionalTime(2), isMutual: !row.isNull(3),
                visibleSince: try row.optionalTime(4))
        }
    }

    public func countFriends(of user: UserID) throws(StoreError) -> Int {
        try count("SELECT COUNT(*) FROM friends WHERE user_id = ?", user)
    }

    // MARK: Visibility

    /// Shares the user's position with some of their friends from a time on; nil stops sharing.
    public func share(_ user: UserID, with friends: [UserID], since time: Timestamp?)
        throws(StoreError)
    {
        guard !friends.isEmpty else { return }
        let list = SQLList(friends.map { SQLValue($0) })
        try driver.execute(
            """
            UPDATE friends SET shared_since_ms = ?
            WHERE user_id = ? AND friend_id IN \(list.places)
            """, [SQLValue(time), SQLValue(user)] + list.values)
        try noteAccessChanges(
            "SELECT name FROM users WHERE id IN \(list.places) ORDER BY id", list.values)
    }

    /// Returns the friends with whom that many people already share, without those who have blocked
    /// the user.
    public func friendsWithoutRoom(of user: UserID, sharers: Int) throws(StoreError) -> Set<UserID>
    {
        Set(
            try all(
                """
                SELECT f.friend_id FROM friends f
                WHERE f.user_id = ? AND f.shared_since_ms IS NULL AND \(Transaction.isWelcome)
                    AND (SELECT COUNT(*) FROM friends s
                        WHERE s.friend_id = f.friend_id AND s.shared_since_ms IS NOT NULL) >= ?
                """, [SQLValue(user), .integer(Int64(sharers))]
            ) { UserID(rawValue: try $0.integer(0)) })
    }

    /// Returns the number of friends who see the user's position, as far as the user knows.
    public func countShares(of user: UserID) throws(StoreError) -> Int {
        try count(
            "SELECT COUNT(*) FROM friends WHERE user_id = ? AND shared_since_ms IS NOT NULL", user)
    }

    /// Returns the people who share their location with the user, and since when, without those
    /// whom the user has blocked; those after this name, ordered by name.
    public func sharers(with user: UserID, after name: String = "", atMost limit: Int)
        throws(StoreError) -> [AcquaintanceRow]
    {
        try acquaintances(
            """
            SELECT f.user_id, f.shared_since_ms FROM friends f JOIN users u ON u.id = f.user_id
            WHERE f.friend_id = ? AND f.shared_since_ms IS NOT NULL AND u.name > ?
                AND \(Transaction.isWelcome)
            ORDER BY u.name LIMIT ?
            """, [SQLValue(user), .text(name), .integer(Int64(limit))])
    }

    /// Returns all of them, in no particular order.
    public func sharers(with user: UserID) throws(StoreError) -> [AcquaintanceRow] {
        try acquaintances(
            """
            SELECT f.user_id, f.shared_since_ms FROM friends f
            WHERE f.friend_id = ? AND f.shared_since_ms IS NOT NULL AND \(Transaction.isWelcome)
            """, [SQLValue(user)])
    }

    /// Whether the friend of row `f` has not blocked the person who shares.
    static let isWelcome = """
        NOT EXISTS (
            SELECT 1 FROM blocks WHERE user_id = f.friend_id AND blocked_id = f.user_id
        )
        """

    /// Returns the people whose location the gate lets the user see.
    func namesInSight(of user: UserID) throws(StoreError) -> Set<Name> {
        var names: Set<Name> = []
        try each(
            """
            SELECT u.name FROM friends f JOIN users u ON u.id = f.user_id
            WHERE f.friend_id = ? AND f.shared_since_ms IS NOT NULL AND \(Transaction.isWelcome)
            """, [SQLValue(user)]
        ) { names.insert(try $0.name(0)) }
        return names
    }

    // MARK: Blocking

    public func insertBlock(of blocked: UserID, by user: UserID, at now: Timestamp)
        throws(StoreError)
    {
        try driver.execute(
            "INSERT INTO blocks (user_id, blocked_id, at_ms) VALUES (?, ?, ?)",
            [SQLValue(user), SQLValue(blocked), SQLValue(now)])
        try noteAccessChange(of: user)
    }

    public func deleteBlock(of blocked: UserID, by user: UserID) throws(StoreError) {
        try driver.execute(
            "DELETE FROM blocks WHERE user_id = ? AND blocked_id = ?",
            [SQLValue(user), SQLValue(blocked)])
        try noteAccessChange(of: user)
    }

    public func countBlocks(by user: UserID) throws(StoreError) -> Int {
        try count("SELECT COUNT(*) FROM blocks WHERE user_id = ?", user)
    }

    /// Returns the people whom the user has blocked, after this name, ordered by name.
    public func blocked(by user: UserID, after name: String = "", atMost limit: Int)
        throws(StoreError) -> [AcquaintanceRow]
    {
        try acquaintances(
            """
            SELECT b.blocked_id, b.at_ms FROM blocks b JOIN users u ON u.id = b.blocked_id
            WHERE b.user_id = ? AND u.name > ? ORDER BY u.name LIMIT ?
            """, [SQLValue(user), .text(name), .integer(Int64(limit))])
    }

    // MARK: Erasure

    /// Removes the user from every list, their own and those of others.
    ///
    /// - Returns: the number of entries on the user's own list, and the people who shared with the
    ///   user.
    public func eraseFriends(of user: UserID)
        throws(StoreError) -> (own: Int, sharers: [UserID])
    {
        let parameters = [SQLValue(user)]
        try noteAccessChanges(
            """
            SELECT u.name FROM friends f JOIN users u ON u.id = f.friend_id
            WHERE f.user_id = ? AND f.shared_since_ms IS NOT NULL
            """, parameters)
        let sharers = try all(
            """
            SELECT user_id FROM friends WHERE friend_id = ? AND shared_since_ms IS NOT NULL
            ORDER BY user_id
            """, parameters
        ) { UserID(rawValue: try $0.integer(0)) }
        var own = try driver.executeCounted("DELETE FROM friends WHERE user_id = ?", parameters)
        try driver.execute("DELETE FROM friends WHERE friend_id = ?", parameters)
        own += try driver.executeCounted("DELETE FROM blocks WHERE user_id = ?", parameters)
        try driver.execute("DELETE FROM blocks WHERE blocked_id = ?", parameters)
        return (own, sharers)
    }

    // MARK: Group members

    /// Returns the group's members after this user, and since when, ordered by user number.
    public func members(of group: GroupID, after user: UserID, atMost limit: Int)
        throws(StoreError) -> [AcquaintanceRow]
    {
        try acquaintances(
            """
            SELECT user_id, joined_at_ms FROM memberships
            WHERE group_id = ? AND user_id > ? ORDER BY user_id LIMIT ?
            """, [SQLValue(group), SQLValue(user), .integer(Int64(limit))])
    }

    private func acquaintances(_ sql: String, _ values: [SQLValue])
        throws(StoreError) -> [AcquaintanceRow]
    {
        try all(sql, values) { row in
            AcquaintanceRow(
                user: UserID(rawValue: try row.integer(0)),
                at: Timestamp(milliseconds: try row.integer(1)))
        }
    }

    private func count(_ sql: String, _ user: UserID) throws(StoreError) -> Int {
        try one(sql, [SQLValue(user)]) { Int(try $0.integer(0)) } ?? 0
    }
}

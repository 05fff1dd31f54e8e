public import Tracking

/// Relations between people that several areas respect.
extension Transaction {
    /// Whether the other is on the user's list of friends.
    public func isFriend(_ other: UserID, of user: UserID) throws(StoreError) -> Bool {
        try one(
            "SELECT 1 FROM friends WHERE user_id = ? AND friend_id = ?",
            [SQLValue(user), SQLValue(other)]
        ) { try $0.integer(0) } != nil
    }

    public func hasBlocked(_ user: UserID, _ other: UserID) throws(StoreError) -> Bool {
        try one(
            "SELECT 1 FROM blocks WHERE user_id = ? AND blocked_id = ?",
            [SQLValue(user), SQLValue(other)]
        ) { try $0.integer(0) } != nil
    }

    /// Returns those of the users who have blocked the other.
    public func blockers(of other: UserID, among users: [UserID]) throws(StoreError) -> Set<UserID>
    {
        guard !users.isEmpty else { return [] }
        let list = SQLList(users.map { SQLValue($0) })
        return Set(
            try all(
                "SELECT user_id FROM blocks WHERE blocked_id = ? AND user_id IN \(list.places)",
                [SQLValue(other)] + list.values
            ) { UserID(rawValue: try $0.integer(0)) })
    }
}

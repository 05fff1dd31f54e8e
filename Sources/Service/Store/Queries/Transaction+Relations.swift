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
}

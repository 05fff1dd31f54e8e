internal import Contract
internal import Tracking

extension StoredTable {
    static let friends = [
        StoredTable(
            "friends", .exported("friend"),
            items: { transaction, user, name, limit in
                try transaction.friendItems(of: user, after: name, atMost: limit)
            },
            hide: { transaction, user, counts in
                counts.friends += try transaction.eraseFriends(of: user).own
            },
            // A bounded number, already deleted by the erasing turn.
            remainsOfUser: Remains { transaction, user, _ in
                _ = try transaction.eraseFriends(of: UserID(rawValue: user))
            }),
        StoredTable(
            "blocks", .exported("blocked"),
            items: { transaction, user, name, limit in
                try transaction.blockItems(of: user, after: name, atMost: limit)
            }),
    ]
}

/// Rows in the order of the other users' names.
extension Transaction {
    fileprivate func friendItems(of user: UserID, after name: String, atMost limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        try all(
            """
            SELECT u.name, f.added_at_ms, f.shared_since_ms
            FROM friends f JOIN users u ON u.id = f.friend_id
            WHERE f.user_id = ? AND u.name > ? AND u.id NOT IN \(Transaction.erasedUsers)
            ORDER BY u.name LIMIT ?
            """, [SQLValue(user), .text(name), .integer(Int64(limit))]
        ) { row in
            let name = try row.name(0)
            return StoredTable.ItemRow(
                place: name.text,
                item: .friend(
                    name, addedAt: Timestamp(milliseconds: try row.integer(1)),
                    sharedSince: try row.optionalTime(2)))
        }
    }

    fileprivate func blockItems(of user: UserID, after name: String, atMost limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        try all(
            """
            SELECT u.name, b.at_ms FROM blocks b JOIN users u ON u.id = b.blocked_id
            WHERE b.user_id = ? AND u.name > ? AND u.id NOT IN \(Transaction.erasedUsers)
            ORDER BY u.name LIMIT ?
            """, [SQLValue(user), .text(name), .integer(Int64(limit))]
        ) { row in
            let name = try row.name(0)
            return StoredTable.ItemRow(
                place: name.text,
                item: .blocked(name, at: Timestamp(milliseconds: try row.integer(1))))
        }
    }
}

internal import Tracking

extension StoredTable {
    static let friends = [
        StoredTable(
            "friends", .exported("friend"),
            hide: { transaction, user, counts throws(StoreError) in
                counts.friends += try transaction.eraseFriends(of: user).own
            },
            // A bounded number, which the erasing turn has deleted already.
            remainsOfUser: Remains { transaction, user, _ throws(StoreError) in
                _ = try transaction.eraseFriends(of: UserID(rawValue: user))
            }),
        StoredTable("blocks", .exported("blocked")),
    ]
}

extension StoredTable {
    static let groups = [
        StoredTable(
            "observers", .exported("observer"),
            items: { transaction, user, last, limit in
                try transaction.observerItems(of: user, after: last, atMost: limit)
            },
            // The bridge ended them before the account was removed from its groups.
            remainsOfUser: .rows(
                """
                DELETE FROM observers WHERE id IN
                    (SELECT id FROM observers WHERE user_id = ? LIMIT ?)
                """),
            remainsOfGroup: .rows(
                """
                DELETE FROM observers WHERE id IN
                    (SELECT id FROM observers WHERE group_id = ? LIMIT ?)
                """)),
        StoredTable("groups", .impersonal),
        StoredTable("closed_groups", .impersonal),
        StoredTable(
            "memberships", .exported("group"),
            remainsOfUser: .rows(
                """
                DELETE FROM memberships WHERE id IN
                    (SELECT id FROM memberships WHERE user_id = ? LIMIT ?)
                """)),
    ]
}

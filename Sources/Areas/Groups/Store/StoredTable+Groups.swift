extension StoredTable {
    static let groups = [
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

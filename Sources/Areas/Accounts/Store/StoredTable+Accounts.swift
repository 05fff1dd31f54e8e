extension StoredTable {
    static let accounts = [
        StoredTable(
            "devices", .exported("device"),
            hide: { transaction, user, counts throws(StoreError) in
                counts.devices = try transaction.driver.execute(
                    "UPDATE devices SET name = '#' || id, token_hash = NULL WHERE user_id = ?",
                    [SQLValue(user)])
            },
            remainsOfUser: .rows(
                """
                DELETE FROM devices WHERE id IN
                    (SELECT id FROM devices WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable("users", .exported("account")),
        StoredTable("erased_users", .kept),
        StoredTable("retired_names", .kept),
        StoredTable("retired_names_key", .impersonal),
    ]
}

internal import Base64
internal import Contract
internal import Tracking

extension StoredTable {
    static let accounts = [
        StoredTable(
            "devices", .exported("device"),
            hide: { transaction, user, counts in
                counts.devices = try transaction.driver.executeCounted(
                    """
                    UPDATE devices SET name = '#' || id, token_hash = NULL, last_seen_ms = NULL,
                        unused_since_ms = NULL, removed_at_ms = NULL
                    WHERE user_id = ?
                    """, [SQLValue(user)])
            },
            remainsOfUser: .rows(
                """
                DELETE FROM devices WHERE id IN
                    (SELECT id FROM devices WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable("password_requests", .kept, hide: StoredTable.deleting("password_requests")),
        StoredTable("account_links", .kept, hide: StoredTable.deleting("account_links")),
        StoredTable("second_factors", .kept, hide: StoredTable.deleting("second_factors")),
        StoredTable("recovery_codes", .kept, hide: StoredTable.deleting("recovery_codes")),
        StoredTable(
            "passkeys", .exported("passkey"),
            items: { transaction, user, last, limit in
                try transaction.passkeys(of: user).filter { $0.id.description > last }
                    .prefix(limit).map {
                        StoredTable.ItemRow(
                            place: $0.id.description,
                            item: .passkey(
                                $0.message, credential: Base64URL.encode($0.credential)))
                    }
            },
            hide: StoredTable.deleting("passkeys")),
        StoredTable(
            "directory_accounts", .exported("directory"),
            items: { transaction, user, last, _ in
                guard last.isEmpty, let row = try transaction.directoryAccount(of: user) else {
                    return []
                }
                return [
                    StoredTable.ItemRow(
                        place: "1",
                        item: .directory(
                            login: row.login, entry: row.entry, confirmedAt: row.confirmedAt))
                ]
            },
            hide: StoredTable.deleting("directory_accounts")),
        StoredTable(
            "profiles", .exported("avatar"),
            items: { transaction, user, last, _ in
                guard last.isEmpty, let png = try transaction.avatar(of: user) else { return [] }
                return [StoredTable.ItemRow(place: "1", item: .avatar(png))]
            },
            hide: StoredTable.deleting("profiles")),
        StoredTable("passkey_handles", .kept, hide: StoredTable.deleting("passkey_handles")),
        StoredTable("users", .exported("account")),
        StoredTable("erased_users", .kept),
        StoredTable("retired_names", .kept),
        StoredTable("retired_names_key", .impersonal),
        StoredTable("last_numbers", .impersonal),
    ]

    /// Deletes a user's few rows.
    private static func deleting(_ table: String) -> Step {
        { transaction, user, _ in
            try transaction.driver.execute(
                "DELETE FROM \(table) WHERE user_id = ?", [SQLValue(user)])
        }
    }
}

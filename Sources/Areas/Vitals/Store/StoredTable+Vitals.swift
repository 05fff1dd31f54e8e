internal import Contract
internal import Tracking

extension StoredTable {
    static let vitals = [
        StoredTable("vitals_deletions", .kept, remainsOfUser: .userRows("vitals_deletions")),
        StoredTable(
            "deleted_vitals", .kept,
            remainsOfUser: .rows(
                """
                DELETE FROM deleted_vitals WHERE (user_id, from_ms) IN
                    (SELECT user_id, from_ms FROM deleted_vitals WHERE user_id = ? LIMIT ?)
                """)),
        // Exported where the keys are available, like the following tables.
        StoredTable(
            "health_profiles", .exported("health-profile"),
            hide: { transaction, user, _ in try transaction.deleteHealthProfile(of: user) }),
        StoredTable(
            "vitals", .exported("vitals"),
            count: { transaction, user, counts in
                counts.vitals = try transaction.count(
                    "SELECT COUNT(*) FROM vitals WHERE user_id = ?", [SQLValue(user)])
            },
            remainsOfUser: .userRows("vitals")),
        StoredTable(
            "vitals_consents", .exported("vitals-consent"),
            items: { transaction, user, last, limit in
                try transaction.all(
                    """
                    SELECT id, at_ms, version, ended_at_ms FROM vitals_consents
                    WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?
                    """,
                    [SQLValue(user), .integer(Int64(last) ?? 0), .integer(Int64(limit))]
                ) { row in
                    let consent = VitalsConsent(
                        at: Timestamp(milliseconds: try row.integer(1)),
                        version: try row.optionalText(2))
                    return ItemRow(
                        place: "\(try row.integer(0))",
                        item: .vitalsConsent(consent, endedAt: try row.optionalTime(3)))
                }
            },
            remainsOfUser: .userRows("vitals_consents")),
    ]
}

extension StoredTable.Remains {
    /// Deletes the user's rows of a table with the columns `id` and `user_id`.
    fileprivate static func userRows(_ table: String) -> StoredTable.Remains {
        .rows(
            """
            DELETE FROM \(table) WHERE id IN (SELECT id FROM \(table) WHERE user_id = ? LIMIT ?)
            """)
    }
}

internal import Contract
internal import Tracking

extension StoredTable {
    static let monitoring = [
        // Exported where the keys are available.
        StoredTable(
            "monitors", .exported("monitoring"),
            hide: { transaction, user, _ in try transaction.deleteMonitor(of: user) }),
        StoredTable(
            "monitoring_consents", .exported("monitoring-consent"),
            items: { transaction, user, last, limit in
                try transaction.all(
                    """
                    SELECT id, at_ms, ended_at_ms FROM monitoring_consents
                    WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?
                    """,
                    [SQLValue(user), .integer(Int64(last) ?? 0), .integer(Int64(limit))]
                ) { row in
                    ItemRow(
                        place: "\(try row.integer(0))",
                        item: .monitoringConsent(
                            at: Timestamp(milliseconds: try row.integer(1)),
                            endedAt: try row.optionalTime(2)))
                }
            },
            remainsOfUser: .rows(
                """
                DELETE FROM monitoring_consents WHERE id IN
                    (SELECT id FROM monitoring_consents WHERE user_id = ? LIMIT ?)
                """)),
    ]
}

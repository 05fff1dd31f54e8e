internal import Contract
internal import Tracking

extension StoredTable {
    static let history = [
        StoredTable(
            "imported_positions", .exported("imported-position"),
            items: { transaction, user, last, limit in
                let rows = try transaction.importedPositions(
                    of: user, after: Int64(last) ?? .min, limit: limit)
                return rows.map { row in
                    ItemRow(
                        place: "\(row.position.takenAt.milliseconds)",
                        item: row.source.map { .importedPosition(row.position, source: $0) })
                }
            },
            count: { transaction, user, counts in
                counts.imported = Int(
                    try transaction.imports(of: user).map(\.positions).reduce(0, +))
            },
            remainsOfUser: .rows(
                """
                DELETE FROM imported_positions WHERE (user_id, taken_at_ms) IN
                    (SELECT user_id, taken_at_ms FROM imported_positions WHERE user_id = ? LIMIT ?)
                """)),
        StoredTable(
            "imports", .exported("imported-position"),
            remainsOfUser: .rows(
                "DELETE FROM imports WHERE id IN (SELECT id FROM imports WHERE user_id = ? LIMIT ?)"
            )),
    ]
}

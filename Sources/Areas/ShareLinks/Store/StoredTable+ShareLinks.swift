internal import Contract
internal import Tracking

extension StoredTable {
    static let shareLinks = [
        StoredTable(
            "share_links", .exported("share"),
            items: { transaction, user, last, limit in
                try transaction.shareLinks(
                    "WHERE user_id = ? AND id > ? ORDER BY id LIMIT ?",
                    [SQLValue(user), .text(last), .integer(Int64(limit))]
                ).map {
                    ItemRow(
                        place: $0.id.description, item: .share($0.link, endedAt: $0.endedAt))
                }
            },
            count: { transaction, user, counts in
                counts.links = try transaction.count(
                    "SELECT COUNT(*) FROM share_links WHERE user_id = ?", [SQLValue(user)])
            },
            // The bridge ended active links before the account was removed from its groups.
            remainsOfUser: .rows(
                """
                DELETE FROM share_links WHERE id IN
                    (SELECT id FROM share_links WHERE user_id = ? LIMIT ?)
                """))
    ]
}

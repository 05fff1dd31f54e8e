internal import Contract
internal import Tracking

extension StoredTable {
    static let notices = [
        tellings,
        StoredTable(
            "notices", .exported("notice"),
            items: { transaction, user, last, limit in
                try transaction.noticeItems(of: user, after: last, atMost: limit)
            },
            count: { transaction, user, counts in
                counts.notices = try transaction.count(
                    "SELECT COUNT(*) FROM notices WHERE user_id = ?", [SQLValue(user)])
            },
            // Their own, those about them, and their part in others'. No query returns them in the
            // meantime.
            remainsOfUser: Remains { transaction, user, rest in
                for statement in [
                    """
                    DELETE FROM notices WHERE id IN
                        (SELECT id FROM notices WHERE user_id = ? LIMIT ?)
                    """,
                    """
                    DELETE FROM notices WHERE id IN
                        (SELECT id FROM notices WHERE about_id = ? LIMIT ?)
                    """,
                    // The notice names the creator of an observer.
                    """
                    DELETE FROM notices WHERE id IN (SELECT id FROM notices
                        WHERE by_id = ? AND kind = '\(NoticeKind.observerAdded.filed)' LIMIT ?)
                    """,
                    """
                    UPDATE notices SET by_id = NULL WHERE id IN
                        (SELECT id FROM notices WHERE by_id = ? LIMIT ?)
                    """,
                ] where rest > 0 {
                    rest -= try transaction.driver.executeCounted(
                        statement, [.integer(user), .integer(Int64(rest))])
                }
            }),
    ]
}

extension Transaction {
    /// Returns notices in the order of their creation.
    fileprivate func noticeItems(of user: UserID, after last: String, atMost limit: Int)
        throws(StoreError) -> [StoredTable.ItemRow]
    {
        var items: [StoredTable.ItemRow] = []
        for row in try notices(of: user, after: last, limit: limit) {
            var about: Notice.Person?
            if let other = row.about, let name = try name(of: other.user) {
                about = .init(user: name, name: other.name)
            }
            var by: Name?
            if let user = row.by { by = try name(of: user) }
            items.append(
                StoredTable.ItemRow(
                    place: row.id.description,
                    item: .notice(
                        Notice(id: row.id, row.news, about: about, by: by), isSeen: row.isSeen)))
        }
        return items
    }
}

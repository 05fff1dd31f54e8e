internal import Contract
internal import Tracking

extension StoredTable {
    static let reminders = [
        StoredTable(
            "reminders", .exported("reminder"),
            items: { transaction, user, last, limit throws(StoreError) in
                try transaction.reminders(of: user, after: last, limit: limit).map {
                    ItemRow(
                        place: $0.reminder.id.description,
                        item: .reminder($0.reminder, next: $0.nextAt, toldAt: $0.toldAt))
                }
            },
            remainsOfUser: .rows(
                """
                DELETE FROM reminders WHERE id IN
                    (SELECT id FROM reminders WHERE user_id = ? LIMIT ?)
                """))
    ]
}

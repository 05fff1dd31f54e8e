internal import Contract
internal import Tracking

extension StoredTable {
    static let reminders = [
        StoredTable(
            "reminders", .exported("reminder"),
            items: { transaction, user, last, limit in
                try transaction.reminders(of: user, after: last, limit: limit).map {
                    ItemRow(
                        place: $0.reminder.id.description,
                        item: ExportItem("reminder", Reminder.payload, $0.listed))
                }
            },
            remainsOfUser: .rows(
                """
                DELETE FROM reminders WHERE id IN
                    (SELECT id FROM reminders WHERE user_id = ? LIMIT ?)
                """))
    ]
}

internal import Tracking

extension StoredTable {
    static let chat = [
        // Messages keep their places in the chats, without author and text.
        StoredTable(
            "chat_messages", .exported("message"),
            count: { transaction, user, counts in
                counts.messages = try transaction.count(
                    "SELECT COUNT(*) FROM chat_messages WHERE user_id = ? AND kind = 'message'",
                    [SQLValue(user)])
            },
            remainsOfUser: .rows(
                """
                UPDATE chat_messages SET user_id = NULL, text = NULL WHERE id IN
                    (SELECT id FROM chat_messages WHERE user_id = ? LIMIT ?)
                """),
            remainsOfGroup: .rows(
                """
                DELETE FROM chat_messages WHERE id IN
                    (SELECT id FROM chat_messages WHERE group_id = ? LIMIT ?)
                """)),
        StoredTable("chat_order", .impersonal),
    ]
}

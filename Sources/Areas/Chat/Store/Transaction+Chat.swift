public import Contract
public import Tracking

/// A stored chat message.
public struct ChatRow: Hashable, Sendable {
    public let id: UUIDv7
    public let group: GroupID
    /// Nil if the account has been deleted, and the text with it.
    public let user: UserID?
    public let kind: ChatMessage.Kind
    /// The text, or the group's new name.
    public let words: String?
    public let at: Timestamp

    public init(
        id: UUIDv7, group: GroupID, user: UserID?, kind: ChatMessage.Kind, words: String?,
        at: Timestamp
    ) {
        self.id = id
        self.group = group
        self.user = user
        self.kind = kind
        self.words = words
        self.at = at
    }

    static let record = Record<ChatRow>(
        "chat_messages", Column("id", .id, \.id), Column("group_id", .number, \.group),
        Column("user_id", .null(or: .number), \.user),
        Column("kind", .word(of: ChatMessage.Kind.self), \.kind),
        Column("text", .null(or: .text), \.words), Column("at_ms", .time, \.at),
        Column(
            following: "user_id IS NOT NULL AND user_id IN \(Transaction.erasedUsers)", .flag)
    ) { id, group, user, kind, words, at, isErased in
        // A message whose author has been erased is shown without author and text from the
        // start, even before they are removed from the row.
        ChatRow(
            id: id, group: group, user: isErased ? nil : user, kind: kind,
            words: isErased ? nil : words, at: at)
    }
}

extension Transaction {
    // MARK: Writing

    public func insert(_ message: ChatRow) throws(StoreError) {
        try insert(message, ChatRow.record)
    }

    /// Replaces the last message about the member's coming online or going offline: people's
    /// presence has no history.
    public func replacePresence(_ message: ChatRow, of user: UserID) throws(StoreError) {
        try deletePresence(of: user, in: message.group)
        try insert(message)
        try driver.execute(
            "UPDATE memberships SET presence_message_id = ? WHERE group_id = ? AND user_id = ?",
            [.text(message.id.description), SQLValue(message.group), SQLValue(user)])
    }

    func deletePresence(of user: UserID, in group: GroupID) throws(StoreError) {
        try driver.execute(
            """
            DELETE FROM chat_messages WHERE id IN
                (SELECT presence_message_id FROM memberships WHERE group_id = ? AND user_id = ?)
            """, [SQLValue(group), SQLValue(user)])
    }

    /// Records the greatest id assigned, independently of its message. Call this where messages are
    /// deleted, unless the deleted one is a member's last presence message, which another one
    /// follows.
    public func keepChatOrder(from last: UUIDv7) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO chat_order (only, last_id) VALUES (1, ?)
            ON CONFLICT (only) DO UPDATE SET last_id = excluded.last_id
            """, [.text(last.description)])
    }

    // MARK: Reading

    /// Returns the greatest id assigned.
    public func lastChatMessage() throws(StoreError) -> UUIDv7? {
        try one(
            """
            SELECT MAX(id) FROM (
                SELECT MAX(id) AS id FROM chat_messages UNION ALL SELECT last_id FROM chat_order
            ) AS known
            """
        ) { row in try row.optionalText(0).flatMap { UUIDv7($0) } } ?? nil
    }

    /// Returns the chat as a member may see it, from when they last joined, newest first.
    public func chat(of group: GroupID, seenBy user: UserID, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [ChatRow]
    {
        try rows(
            ChatRow.record,
            """
            WHERE group_id = ? AND id < ? AND id >=
                (SELECT chat_from FROM memberships WHERE group_id = ? AND user_id = ?)
            ORDER BY id DESC LIMIT ?
            """,
            [
                // "g" sorts after every UUID.
                SQLValue(group), .text(before?.description ?? "g"), SQLValue(group),
                SQLValue(user), .integer(Int64(limit)),
            ])
    }

    /// Returns a user's messages, in any group, newest first.
    public func chat(writtenBy user: UserID, before: UUIDv7?, limit: Int)
        throws(StoreError) -> [ChatRow]
    {
        try rows(
            ChatRow.record,
            """
            WHERE user_id = ? AND kind = 'message' AND id < ?
                AND group_id NOT IN \(Transaction.closedGroups)
            ORDER BY id DESC LIMIT ?
            """,
            [SQLValue(user), .text(before?.description ?? "g"), .integer(Int64(limit))])
    }

    /// Returns when the user wrote their newest message, after skipping `count` newer ones; nil if
    /// there are not that many.
    public func chatTime(of user: UserID, skipping count: Int) throws(StoreError) -> Timestamp? {
        try one(
            """
            SELECT at_ms FROM chat_messages WHERE user_id = ? AND kind = 'message'
            ORDER BY id DESC LIMIT 1 OFFSET ?
            """, [SQLValue(user), .integer(Int64(count))]
        ) { Timestamp(milliseconds: try $0.integer(0)) }
    }

    // MARK: Retention

    /// Deletes messages from before a moment, oldest first. It goes by the clock and not by their
    /// ids, which stay ahead when the clock is set back.
    ///
    /// - Returns: the number of messages deleted.
    public func deleteChat(writtenBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM chat_messages WHERE id IN
                (SELECT id FROM chat_messages WHERE at_ms < ? ORDER BY at_ms LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }
}

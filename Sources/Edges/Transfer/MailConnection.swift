/// How long a thread keeps a connection for its mail, which sends one message after the other.
struct MailConnection {
    /// The number of messages sent over it, including the one under way.
    private var messageCount = 0

    /// Exim delays the eleventh over the same connection until its next round, which may be half an
    /// hour away (`smtp_accept_queue_per_connection`).
    static let messagesAtMost = 10

    /// To be called with each message that begins. Servers accept a limited number of connections
    /// at a time (Exim twenty): none stays open for messages that do not exist yet.
    ///
    /// - Parameter othersWait: whether more messages are waiting.
    /// - Returns: whether the next message may go over the same connection.
    mutating func stays(othersWait: Bool) -> Bool {
        messageCount += 1
        let stays = othersWait && messageCount < MailConnection.messagesAtMost
        if !stays { messageCount = 0 }
        return stays
    }
}

/// How long a thread's mail goes over one connection. Used by one message after the other.
struct MailConnection {
    /// How many messages have gone over it, the one under way included.
    private var messageCount = 0

    /// Exim lets the eleventh over the same connection wait for its next round, which may be half an
    /// hour away (`smtp_accept_queue_per_connection`).
    static let messagesAtMost = 10

    /// To be called with each message that begins. Servers take only so many connections at a time
    /// (Exim twenty): none stays open for messages that are not there yet.
    ///
    /// - Parameter othersWait: whether more messages are there to be sent.
    /// - Returns: whether the next message may go over the same connection.
    mutating func stays(othersWait: Bool) -> Bool {
        messageCount += 1
        let stays = othersWait && messageCount < MailConnection.messagesAtMost
        if !stays { messageCount = 0 }
        return stays
    }
}

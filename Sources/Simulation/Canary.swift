/// A bug built in on purpose, to see whether it is found.
package enum Canary: String, CaseIterable, Sendable {
    /// The bridge acknowledges what it reads at once.
    case acknowledgeBeforeCommit
    /// A bridge that starts publishes nothing of what waits in its outbox but for chats.
    case forgetOutbox
    /// The broker delivers to everybody who has subscribed.
    case deliverWithoutAsking
    /// An alert is told twice, with two ids.
    case raiseAlertsTwice
    /// A message of a chat is told twice, with two ids.
    case tellChatTwice
    /// Messages of chats wait in no outbox.
    case forgetChat
    /// Of two messages of chats the bridge tells the later one first.
    case reverseChat
    /// A fix is not written.
    case loseFix
    /// A fix is written twice.
    case storeTwice
    /// What was retained is not compared when the bridge connects.
    case trustRetained
    /// Nobody tells the gate that a friend does not see somebody any more.
    case hideUnsharing
    /// After a large message the bridge reads nothing more.
    case choke
}

/// A deliberate bug, to check that the simulation finds it.
package enum Canary: String, CaseIterable, Sendable {
    /// The bridge acknowledges messages as soon as it reads them.
    case acknowledgeBeforeCommit
    /// After a start the bridge publishes nothing that waits in its outbox, except for chats.
    case forgetOutbox
    /// The broker delivers to all subscribers without asking the gate.
    case deliverWithoutAsking
    /// An alert is published twice, with two ids.
    case raiseAlertsTwice
    /// A chat message is published twice, with two ids.
    case tellChatTwice
    /// Chat messages are not put into the outbox.
    case forgetChat
    /// The bridge publishes two chat messages in reverse order.
    case reverseChat
    /// A fix is not written.
    case loseFix
    /// A fix is written twice.
    case storeTwice
    /// The bridge does not check retained messages when it connects.
    case trustRetained
    /// The gate is not told when somebody stops sharing with a friend.
    case hideUnsharing
    /// After a large message the bridge reads nothing more.
    case choke
}

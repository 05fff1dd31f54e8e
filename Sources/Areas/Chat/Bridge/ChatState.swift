import Store
import Tracking

/// The chats' state between turns.
final class ChatState: AreaState {
    /// The last id: messages have one order across all chats.
    var last: UUIDv7?

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        last = try transaction.lastChatMessage()
    }
}

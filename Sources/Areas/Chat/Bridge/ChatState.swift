import Store
import Tracking

/// What the chats need between turns.
final class ChatState: AreaState {
    /// Messages have one order across all chats.
    var last: UUIDv7?

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        last = try transaction.lastChatMessage()
    }
}

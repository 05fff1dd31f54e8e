import Tracking

/// What the chats need between turns.
struct ChatState {
    /// Messages have one order across all chats.
    var last: UUIDv7?
}

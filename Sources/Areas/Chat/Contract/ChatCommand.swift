public import Tracking

/// A device's requests about the chats of its owner's groups.
public enum ChatCommand: AreaCommand {
    case send(GroupKey, ChatText)
    case history(GroupKey, before: UUIDv7?, limit: Int)
}

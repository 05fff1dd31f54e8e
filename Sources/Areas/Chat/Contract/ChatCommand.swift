public import Tracking

/// What a device may ask for about the chats of its owner's groups.
public enum ChatCommand: AreaCommand {
    case send(GroupKey, ChatText)
    case history(GroupKey, before: UUIDv7?, limit: Int)
}

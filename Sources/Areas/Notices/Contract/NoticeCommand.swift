public import Tracking

/// A device's requests about its owner's notices.
public enum NoticeCommand: AreaCommand {
    case list(before: UUIDv7?, limit: Int)
    case seen(through: UUIDv7)
    case seenInGroup(Thing, GroupKey, through: UUIDv7)
    case unread

    /// The things in a group that its members read.
    public enum Thing: Hashable, Sendable { case alerts, chat }
}

public import Tracking

/// What a device may ask for about its owner's notices.
public enum NoticeCommand: AreaCommand {
    case list(before: UUIDv7?, limit: Int)
    case seen(through: UUIDv7)
    case seenInGroup(Thing, GroupKey, through: UUIDv7)
    case unread

    /// What a group has that its members read.
    public enum Thing: Hashable, Sendable { case alerts, chat }

    public static let limit: ClosedRange<Int64> = 1...100
    public static let usualLimit = 50

    static func list(_ fields: inout Fields) -> NoticeCommand {
        let before = fields["before"] == nil ? nil : fields.uuid("before")
        let limit = fields.integer(ifPresent: "limit", in: NoticeCommand.limit).map { Int($0) }
        return .list(before: before, limit: limit ?? usualLimit)
    }

    static func seen(_ thing: Thing, _ fields: inout Fields) -> NoticeCommand? {
        let (group, through) = (fields.group(), fields.uuid("through"))
        guard let group, let through else { return nil }
        return .seenInGroup(thing, group, through: through)
    }
}

public import Tracking

/// What a device may ask for about its owner's notices.
public enum NoticeCommand: AreaCommand {
    case list(before: UUIDv7?, limit: Int)
    case seen(through: UUIDv7)

    public static let limit: ClosedRange<Int64> = 1...100
    public static let usualLimit = 50

    static func list(_ fields: inout Fields) -> NoticeCommand {
        let before = fields["before"] == nil ? nil : fields.uuid("before")
        let limit = fields.integer(ifPresent: "limit", in: NoticeCommand.limit).map { Int($0) }
        return .list(before: before, limit: limit ?? usualLimit)
    }
}

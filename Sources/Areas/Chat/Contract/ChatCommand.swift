public import Tracking

/// What a device may ask for about the chats of its owner's groups.
public enum ChatCommand: AreaCommand {
    case send(GroupKey, ChatText)
    case history(GroupKey, before: UUIDv7?, limit: Int)

    public static let limit: ClosedRange<Int64> = 1...100
    public static let usualLimit = 50

    static func send(_ fields: inout Fields) -> ChatCommand? {
        let (group, text) = (fields.group(), fields.chatText("text"))
        guard let group, let text else { return nil }
        return .send(group, text)
    }

    static func history(_ fields: inout Fields) -> ChatCommand? {
        let group = fields.group()
        let before = fields["before"] == nil ? nil : fields.uuid("before")
        let limit = fields.integer(ifPresent: "limit", in: ChatCommand.limit).map { Int($0) }
        return group.map { .history($0, before: before, limit: limit ?? usualLimit) }
    }
}

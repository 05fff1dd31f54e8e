extension Command {
    static func sendChat(_ fields: inout Fields) -> Action? {
        let (group, text) = (fields.group(), fields.chatText("text"))
        guard let group, let text else { return nil }
        return .sendChat(group, text)
    }

    static func chatHistory(_ fields: inout Fields) -> Action? {
        let group = fields.group()
        let before = fields["before"] == nil ? nil : fields.uuid("before")
        let limit = fields.integer(ifPresent: "limit", in: chatLimit).map { Int($0) }
        return group.map { .chatHistory($0, before: before, limit: limit ?? usualChatLimit) }
    }
}

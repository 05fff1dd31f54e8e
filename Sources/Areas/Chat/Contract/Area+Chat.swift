internal import Tracking

extension Area {
    /// Messages between the members of a group.
    static let chat = Area(
        "Chat",
        methods: [
            Method(
                "chat.send", .makes, [], against: [.messages, .answers],
                Form(Form.group, Form("text", .chatText)) { ChatCommand.send($0, $1) },
                result: ChatResult.sent.schema),
            Method(
                "chat.history", .reads, .demo,
                Form(Form.group, Form("before", .uuid).ifPresent, Form.limit) {
                    ChatCommand.history($0, before: $1, limit: $2)
                },
                result: ChatResult.history.schema,
                gives: "the newest first, and fewer where they are long; `next` is the `before` of "
                    + "the next page, `null` at the end"),
        ],
        topics: [
            TopicRow(
                .chat, "{root}/groups/{group}/chat", from: [.bridge], to: [.members, .bridge],
                "ChatMessage")
        ],
        exports: [
            ExportList("message", isLong: true, "what you wrote in the chats of your groups")
        ],
        payloads: [ChatMessage.payload.row])
}

extension Topic {
    /// The topic of a group's messages.
    public static func chat(_ group: GroupKey) -> Topic {
        .listed(.chat, TopicPattern.Bindings(group: group))
    }
}

extension Topic.ListedKind {
    public static let chat = Topic.ListedKind("chat")
}

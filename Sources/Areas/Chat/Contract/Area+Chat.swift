internal import Tracking

extension Area {
    /// What the members of a group write to each other.
    static let chat = Area(
        "Chat",
        methods: [
            Method(
                "chat.send", .makes, [], against: [.messages, .answers],
                Form("`{group,text}`", gives: "`{message}`")
            ) {
                fields, _ in ChatCommand.send(&fields)
            },
            Method(
                "chat.history", .reads, .demo,
                Form(
                    "`{group,before?,limit?}`",
                    gives:
                        "`{messages,next}`: the newest first, at most 100 (usually 50) and fewer "
                        + "where they are long; `next` is the `before` of the next page, `null` at "
                        + "the end")
            ) { fields, _ in ChatCommand.history(&fields) },
        ],
        topics: [
            TopicRow(
                .chat, "{root}/groups/{group}/chat", from: [.bridge], to: [.members, .bridge],
                "ChatMessage")
        ],
        exports: [
            ExportList("message", isLong: true, "what you wrote in the chats of your groups")
        ])
}

extension Topic {
    /// Where the messages of a group are published.
    public static func chat(_ group: GroupKey) -> Topic {
        .listed(.chat, TopicPattern.Bindings(group: group))
    }
}

extension Topic.ListedKind {
    public static let chat = Topic.ListedKind("chat")
}

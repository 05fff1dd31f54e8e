internal import Tracking

extension Area {
    /// Notices to a single user, kept for a limited time.
    static let notices = Area(
        "Notices",
        methods: [
            Method(
                "notice.list", .reads, [.demo, .companies, .services],
                Form(Form("before", .uuid).ifPresent, Form.limit) {
                    NoticeCommand.list(before: $0, limit: $1)
                },
                result: NoticeResult.list.schema,
                gives: "the newest first, each with `seen`, and fewer where they are long; `next` "
                    + "is the `before` of the next page, `null` at the end"),
            Method(
                "notice.seen", .changes, [.companies, .services], against: [],
                Form(Form("through", .uuid)) { NoticeCommand.seen(through: $0) },
                result: NoticeResult.seen.schema,
                gives: "this notice and all before it are marked as seen"),
            Method(
                "alert.seen", .changes, [], against: [],
                Form(Form.group, Form("through", .uuid)) {
                    NoticeCommand.seenInGroup(.alerts, $0, through: $1)
                },
                result: NoticeResult.seenInGroup.schema,
                gives: "the group's alerts up to this one have been seen; it acknowledges none"),
            Method(
                "chat.seen", .changes, [], against: [],
                Form(Form.group, Form("through", .uuid)) {
                    NoticeCommand.seenInGroup(.chat, $0, through: $1)
                },
                result: NoticeResult.seenInGroup.schema,
                gives: "the group's messages up to this one have been seen"),
            Method(
                "unread.list", .reads, .demo, Form { NoticeCommand.unread },
                result: NoticeResult.unread.schema,
                gives: "how many are unseen, in total and in each group, and the ids of the "
                    + "newest alert and message seen (`null`: none)"),
        ],
        topics: [
            TopicRow(
                .notices, "{root}/users/{user}/notices", from: [.bridge], to: [.thatUser],
                "Notice"),
            TopicRow(
                .unread, "{root}/users/{user}/unread", from: [.bridge], to: [.thatUser, .bridge],
                retained: .compared,
                #"`{"notices":n,"alerts":n,"chat":n}`; empty if there is nothing"#),
        ],
        exports: [
            ExportList("notice", "the notices that the service has sent you")
        ],
        payloads: [Notice.payload.row])
}

extension Topic {
    /// The topic with the retained number of unseen items.
    public static func unread(_ user: Name) -> Topic {
        .listed(.unread, TopicPattern.Bindings(user: user))
    }
}

extension Topic.ListedKind {
    public static let unread = Topic.ListedKind("unread")
}

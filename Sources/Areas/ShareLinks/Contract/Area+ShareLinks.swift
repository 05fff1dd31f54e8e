public import Tracking

extension Area {
    /// Share links, which show people without an account where a person is, or how a journey is
    /// going.
    static let shareLinks = Area(
        "ShareLinks",
        methods: [
            Method(
                "share.create", .makes, [], against: [.changes, .answers], ShareCommand.creation,
                result: ShareResult.created.schema,
                gives: "anyone with the link sees where I am "
                    + "until then; `path` is where the page shows it; a repeated request is "
                    + "answered without `token` and `path`",
                "the same: the link shows my current journey, and ends with it"),
            Method(
                "share.list", .reads, .demo, Form { ShareCommand.list },
                result: ShareResult.list.schema,
                gives: "my links that work, the newest first, with how often each was opened and "
                    + "when last"),
            Method(
                "share.end", .changes, [], against: [],
                Form(Form("share", .uuid)) { ShareCommand.end($0) },
                gives: "`{}`: it no longer shows anything"),
            Method(
                "share.open", .changes, [],
                guest: Form(Form("token", .link), Form.visitor) {
                    ShareGuestCommand.open($0, visitor: $1)
                },
                result: ShareResult.opened.schema,
                gives: "what the link shows is published on the "
                    + "topic, for a client that connects with this name and token"),
        ],
        topics: [
            TopicRow(
                .share, "{root}/shares/{share}/state", from: [.bridge], to: [.viewers, .bridge],
                retained: .compared, "SharedView")
        ],
        exports: [
            ExportList("share", "links that show others where you are")
        ],
        payloads: [SharedView.payload.row])
}

extension Topic {
    /// The topic of a link's view.
    public static func share(_ share: UUIDv7) -> Topic {
        .listed(.share, TopicPattern.Bindings(share: share))
    }
}

extension Topic.ListedKind {
    public static let share = Topic.ListedKind("share")
}

internal import Tracking

extension Area {
    /// News for one user, kept until it is old.
    static let notices = Area(
        "Notices",
        methods: [
            Method(
                "notice.list", .reads, [.demo, .companies, .services],
                Form(
                    "`{before?,limit?}`",
                    gives:
                        "`{notices,next,unread}`: the newest first, each with `seen`, at most 100 "
                        + "(usually 50) and fewer where they are long; `next` is the `before` of "
                        + "the next page, `null` at the end")
            ) { fields, _ in NoticeCommand.list(&fields) },
            Method(
                "notice.seen", .changes, [.companies, .services], against: [],
                Form(
                    "`{through}`",
                    gives: "`{unread}`: this notice and all before it have been seen")
            ) { fields, _ in fields.uuid("through").map { NoticeCommand.seen(through: $0) } },
        ],
        topics: [
            TopicRow(
                .notices, "{root}/users/{user}/notices", from: [.bridge], to: [.thatUser],
                "Notice"),
            TopicRow(
                .unread, "{root}/users/{user}/unread", from: [.bridge], to: [.thatUser, .bridge],
                retained: .compared, #"`{"notices":n}`; empty if there are none"#),
        ],
        exports: [
            ExportList("notice", "what the service has told you")
        ])
}

extension Topic {
    /// Where it is retained how many notices the user has not seen.
    public static func unread(_ user: Name) -> Topic {
        .listed(.unread, TopicPattern.Bindings(user: user))
    }
}

extension Topic.ListedKind {
    public static let unread = Topic.ListedKind("unread")
}

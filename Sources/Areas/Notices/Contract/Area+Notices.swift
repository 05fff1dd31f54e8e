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
            Method(
                "alert.seen", .changes, [], against: [],
                Form(
                    "`{group,through}`",
                    gives:
                        "`{unread:{notices,alerts,chat}}`: the group's alerts up to this one have been "
                        + "seen; it acknowledges none")
            ) { fields, _ in NoticeCommand.seen(.alerts, &fields) },
            Method(
                "chat.seen", .changes, [], against: [],
                Form(
                    "`{group,through}`",
                    gives:
                        "`{unread:{notices,alerts,chat}}`: the group's messages up to this one have "
                        + "been seen")
            ) { fields, _ in NoticeCommand.seen(.chat, &fields) },
            Method(
                "unread.list", .reads, .demo,
                Form(
                    "",
                    gives:
                        "`{notices,alerts,chat,groups:[{group,alerts,chat,alertsThrough,chatThrough}]}`: "
                        + "how much has not been seen, in all and of each group, and the id of the newest "
                        + "alert and message that have been (`null`: none)")
            ) { _, _ in NoticeCommand.unread },
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
            ExportList("notice", "what the service has told you")
        ])
}

extension Topic {
    /// Where it is retained how much the user has not seen.
    public static func unread(_ user: Name) -> Topic {
        .listed(.unread, TopicPattern.Bindings(user: user))
    }
}

extension Topic.ListedKind {
    public static let unread = Topic.ListedKind("unread")
}

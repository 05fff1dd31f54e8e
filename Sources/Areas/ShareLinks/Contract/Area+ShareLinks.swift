public import Tracking

extension Area {
    /// Links that show somebody without an account where a person is, or how a journey goes.
    static let shareLinks = Area(
        "ShareLinks",
        methods: [
            Method(
                "share.create", .makes, [], against: [.changes, .answers],
                Form(
                    #"`{what:"position",until,precision?}`"#,
                    gives: "`{share,what,until,token,path}`: whoever has the link sees where I am "
                        + "until then; `path` is where the page shows it; a repetition is answered "
                        + "without `token` and `path`"),
                Form(
                    #"`{what:"journey",until?,precision?}`"#,
                    gives: "the same: the link shows the journey that I am on, and ends with it")
            ) { fields, circumstances in ShareCommand.create(&fields, circumstances) },
            Method(
                "share.list", .reads, .demo,
                Form(
                    "`{}`",
                    gives: "`{shares:[{share,what,at,until,opened,openedAt?}]}`: my links that "
                        + "work, the newest first; how often each was opened, and when last")
            ) { _, _ in ShareCommand.list },
            Method(
                "share.end", .changes, [], against: [],
                Form("`{share}`", gives: "`{}`: nobody sees anything by it any longer")
            ) { fields, _ in fields.uuid("share").map { ShareCommand.end($0) } },
            Method(
                "share.open", .changes, [],
                Form(
                    "`{token,visitor?}`",
                    gives: "`{share,topic,username,token}`: what the link shows is on the topic, "
                        + "for whoever connects with this name and token")
            ) { fields in GuestCommand.openShare(&fields) },
        ],
        topics: [
            TopicRow(
                .share, "{root}/shares/{share}/state", from: [.bridge], to: [.viewers, .bridge],
                retained: .compared, "SharedView")
        ],
        exports: [
            ExportList("share", "links that show others where you are")
        ])
}

extension Topic {
    /// What a link shows.
    public static func share(_ share: UUIDv7) -> Topic {
        .listed(.share, TopicPattern.Bindings(share: share))
    }
}

extension Topic.ListedKind {
    public static let share = Topic.ListedKind("share")
}

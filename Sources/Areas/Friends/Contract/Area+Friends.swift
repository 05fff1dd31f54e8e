extension Area {
    /// Friends, and the list of everyone who sees a user's position.
    static let friends = Area(
        "Friends",
        methods: [
            Method(
                "sharing.list", .reads, .demo,
                Form(Form("cursor", .watcher).ifPresent) { FriendCommand.watchers($0) },
                gives:
                    #"`{watchers:[{user,name?,why:"friend"\|"group",group?,groupName?,since}\|"#
                    + #"{why:"link",share,since}\|{why:"service",service,name,company,since}\|"#
                    + #"{why:"observer",observer,name,by,group,groupName,since}],next}`: "#
                    + "who sees where I am now"),
            Method(
                "friend.add", .changes, [], Form(Form("user", .name)) { FriendCommand.add($0) },
                result: FriendResult.added.schema,
                gives: "`name` and `avatar` only if I am also on that user's list"),
            Method(
                "friend.remove", .changes, [], against: [],
                Form(Form("user", .name)) { FriendCommand.remove($0) }, gives: "`{}`"),
            Method(
                "friend.list", .reads, .demo,
                Form(
                    Form(
                        "of", .choice(of: FriendCommand.Listing.self),
                        "my list (default), users who show me where they are, or users I have "
                            + "blocked"
                    ).or(.friends),
                    Form("cursor", .name).ifPresent
                ) { FriendCommand.list($0, after: $1) },
                gives: "`{friends:[…],next}`"),
            Method(
                "friend.share", .changes, [],
                Form(Form("with", .friends, "`all`, or user names"), Form("fix", .fix).ifPresent) {
                    FriendCommand.share(with: $0, $1)
                },
                result: FriendResult.shared.schema,
                gives: "the friends who now see it, and what they see"),
            Method(
                "friend.unshare", .changes, [], against: [],
                Form(Form("with", .friends, "`all`, or user names")) {
                    FriendCommand.unshare(with: $0)
                },
                result: FriendResult.shared.schema,
                gives: "the friends who still see it, and what they see"),
            Method(
                "friend.nearby", .reads, .demo,
                Form(
                    Form("radius", .number(FriendCommand.radiusRange), "metres"),
                    Form("fix", .fix, "default: my newest").ifPresent
                ) { FriendCommand.nearby(radius: $0, $1) },
                gives: "`{friends:[{user,name,distance,bearing,fix}],total}`, the nearest first",
                looksAt: "the 1000 who share with me"),
            Method(
                "friend.block", .changes, [], against: [],
                Form(Form("user", .name)) { FriendCommand.block($0) }, gives: "`{}`"),
            Method(
                "friend.unblock", .changes, [],
                Form(Form("user", .name)) { FriendCommand.unblock($0) }, gives: "`{}`"),
            Method(
                "location.off", .changes, [], against: [],
                Form(Form("store", .boolean, "whether later fixes are stored").ifPresent) {
                    FriendCommand.turnLocationOff(isStoring: $0)
                },
                result: FriendResult.turnedOff.schema,
                gives: "whether later fixes are stored; the number of those that still are; the "
                    + "numbers of positions, of friends who saw them, of links that showed "
                    + "them, of services that had positions and now have none, and of runs in "
                    + "which I no longer take part; the groups that saw where I was"),
        ],
        topics: [
            TopicRow(
                .location, "{root}/users/{user}/location", from: [.bridge],
                to: [.thatUser, .friendsInSight, .bridge], retained: .compared,
                "a Fix with `user` and `name`, for friends")
        ],
        notices: [.friendAdded, .locationShared, .sharingReminder],
        exports: [
            ExportList("friend", "your friends"),
            ExportList("blocked", in: "blocked", "users you have blocked"),
        ])
}

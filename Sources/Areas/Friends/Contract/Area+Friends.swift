extension Area {
    /// Friends, and who sees a user's position at all.
    static let friends = Area(
        "Friends",
        methods: [
            Method(
                "sharing.list", .reads, .demo,
                Form(
                    "`{cursor?}`",
                    gives:
                        #"`{watchers:[{user,name?,why:"friend"\|"group",group?,groupName?,since}\|"#
                        + #"{why:"link",share,since}\|{why:"service",service,name,company,since}\|"#
                        + #"{why:"observer",observer,name,by,group,groupName,since}],next}`: "#
                        + "who sees where I am, now")
            ) { fields, _ in FriendCommand.watchers(&fields) },
            Method(
                "friend.add", .changes, [],
                Form(
                    "`{user}`", gives: "`{friend:{user,name?,addedAt,sharedSince?,visibleSince?}}`")
            ) { fields, _ in fields.name("user").map { FriendCommand.add($0) } },
            Method("friend.remove", .changes, [], against: [], Form("`{user}`", gives: "`{}`")) {
                fields, _ in fields.name("user").map { FriendCommand.remove($0) }
            },
            Method(
                "friend.list", .reads, .demo,
                Form(
                    #"`{of?:"friends"\|"sharers"\|"blocked",cursor?}`"#,
                    gives:
                        "`{friends:[…],next}`: my list; who shows me where they are; whom I have "
                        + "blocked")
            ) { fields, _ in FriendCommand.list(&fields) },
            Method(
                "friend.share", .changes, [],
                Form(
                    #"`{with:"all"\|[user…],fix?}`"#,
                    gives: "`{watchers:[user…],fix}`: the friends who see it now, and what they see"
                )
            ) { fields, circumstances in
                FriendCommand.share(&fields, circumstances)
            },
            Method(
                "friend.unshare", .changes, [], against: [],
                Form(#"`{with:"all"\|[user…]}`"#, gives: "the same")
            ) { fields, _ in fields.friends("with").map { FriendCommand.unshare(with: $0) } },
            Method(
                "friend.nearby", .reads, .demo,
                Form(
                    "`{radius,fix?}`",
                    gives:
                        "`{friends:[{user,name,distance,bearing,fix}],total}`, the nearest first",
                    looksAt: "the 1000 who share with you")
            ) { fields, circumstances in
                FriendCommand.nearby(&fields, circumstances)
            },
            Method("friend.block", .changes, [], against: [], Form("`{user}`", gives: "`{}`")) {
                fields, _ in fields.name("user").map { FriendCommand.block($0) }
            },
            Method("friend.unblock", .changes, [], Form("`{user}`", gives: "`{}`")) {
                fields, _ in fields.name("user").map { FriendCommand.unblock($0) }
            },
            Method(
                "location.off", .changes, [], against: [],
                Form(
                    "`{store?}`",
                    gives:
                        "`{deleted:{locations,friends,links,services,runs,groups},kept:{fixes},storing}`: "
                        + "how many positions, friends who saw it, links that showed it, services "
                        + "that had positions and have nothing any more, runs in which you do not "
                        + "take part any more, the groups that saw it; how many fixes are still "
                        + "stored; whether those to come will be")
            ) { fields, _ in
                FriendCommand.turnLocationOff(isStoring: fields.bool(ifPresent: "store"))
            },
        ],
        topics: [
            TopicRow(
                .location, "{root}/users/{user}/location", from: [.bridge],
                to: [.thatUser, .friendsInSight, .bridge], retained: .compared,
                "a Fix with `user` and `name`, for friends")
        ],
        exports: [
            ExportList("friend", "your friends"),
            ExportList("blocked", in: "blocked", "whom you have blocked"),
        ])
}

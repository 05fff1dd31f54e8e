extension Method {
    /// Friends, and who sees a user's position at all.
    static let friends: [Method] = [
        Method(
            "friend.add", .changes, [],
            Form(
                "`{user}`", gives: "`{friend:{user,name?,addedAt,sharedSince?,visibleSince?}}`")
        ) { fields, _ in fields.name("user").map { .friends(.add($0)) } },
        Method("friend.remove", .changes, [], Form("`{user}`", gives: "`{}`")) {
            fields, _ in fields.name("user").map { .friends(.remove($0)) }
        },
        Method(
            "friend.list", .reads, .demo,
            Form(
                #"`{of?:"friends"\|"sharers"\|"blocked",cursor?}`"#,
                gives: "`{friends:[…],next}`: my list; who shows me where they are; whom I have "
                    + "blocked")
        ) { fields, _ in FriendCommand.list(&fields).map { .friends($0) } },
        Method(
            "friend.share", .changes, .demo,
            Form(
                #"`{with:"all"\|[user…],fix?}`"#,
                gives: "`{watchers:[user…],fix}`: the friends who see it now, and what they see")
        ) { fields, circumstances in
            FriendCommand.share(&fields, circumstances).map { .friends($0) }
        },
        Method(
            "friend.unshare", .changes, .demo,
            Form(#"`{with:"all"\|[user…]}`"#, gives: "the same")
        ) { fields, _ in fields.friends("with").map { .friends(.unshare(with: $0)) } },
        Method(
            "friend.nearby", .reads, .demo,
            Form(
                "`{radius,fix?}`",
                gives: "`{friends:[{user,name,distance,bearing,fix}],total}`, the nearest first")
        ) { fields, circumstances in
            FriendCommand.nearby(&fields, circumstances).map { .friends($0) }
        },
        Method("friend.block", .changes, [], Form("`{user}`", gives: "`{}`")) {
            fields, _ in fields.name("user").map { .friends(.block($0)) }
        },
        Method("friend.unblock", .changes, [], Form("`{user}`", gives: "`{}`")) {
            fields, _ in fields.name("user").map { .friends(.unblock($0)) }
        },
        Method(
            "location.off", .changes, [],
            Form(
                "`{store?}`",
                gives: "`{deleted:{locations,friends,groups},kept:{fixes},storing}`: how many "
                    + "positions, friends who saw it, the groups that did; how many fixes are "
                    + "still stored; whether those to come will be")
        ) { fields, _ in .friends(.turnLocationOff(isStoring: fields.bool(ifPresent: "store"))) },
    ]
}

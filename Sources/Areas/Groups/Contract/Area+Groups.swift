internal import Tracking

extension Area {
    /// Groups, and which of them see a user's position.
    static let groups = Area(
        "Groups",
        methods: [
            Method(
                "group.create", .makes, .operators, against: [.changes, .answers],
                Form("`{name}`", gives: "the group")
            ) {
                fields, _ in fields.displayName("name").map { GroupCommand.create(name: $0) }
            },
            Method(
                "group.rename", .changes, [], against: [.changes, .answers],
                Form(
                    "`{group,name}`",
                    gives: "the group; without `members` and `observers` if they do not fit into "
                        + "the answer",
                    looksAt: "the 2000 members")
            ) {
                fields, _ in GroupCommand.rename(&fields)
            },
            Method(
                "group.remove", .changes, .operators, against: [],
                Form("`{group,user}`", gives: "the group")
            ) {
                fields, _ in GroupCommand.removeMember(&fields)
            },
            Method("group.leave", .changes, [], against: [], Form("`{group}`", gives: "`{}`")) {
                fields, _ in fields.group().map { GroupCommand.leave($0) }
            },
            Method("group.list", .reads, [.demo, .operators], Form("", gives: "`{groups}`")) {
                _, _ in
                GroupCommand.list
            },
            Method(
                "sharing.start", .changes, [],
                Form(
                    #"`{groups:[…],until?}` or `{groups:"all",until?}`"#,
                    gives:
                        "`{states:[{group,state}],watchers:[user…],allWatchers}`: `watchers` are "
                        + "those who see it, the first 1000; it ends at `until`")
            ) { fields, circumstances in
                GroupCommand.startSharing(&fields, at: circumstances.now)
            },
            Method(
                "sharing.stop", .changes, [], against: [],
                Form(#"`{groups:[…]}` or `{groups:"all"}`"#, gives: "`{states:[{group,state}]}`")
            ) { fields, _ in fields.groups().map { GroupCommand.stopSharing($0) } },
            Method(
                "sharing.pause", .changes, [], against: [],
                Form(
                    "`{until}`",
                    gives: "`{pausedUntil}`: nobody sees where I am until then; after that "
                        + "everything is as before")
            ) { fields, circumstances in GroupCommand.pause(&fields, at: circumstances.now) },
            Method(
                "sharing.resume", .changes, [], Form("", gives: "`{}`: the pause is over")
            ) { _, _ in GroupCommand.resumeSharing },
            Method(
                "sharing.precision", .changes, [], against: [],
                Form(
                    #"`{group,precision:"exact"\|"street"\|"district"\|"city"}`"#,
                    gives: "`{group,precision}`: how exactly the group sees where I am, except in "
                        + "an SOS")
            ) { fields, _ in GroupCommand.setPrecision(&fields) },
            Method(
                "members.get", .reads, .demo,
                Form(
                    "`{group,cursor?,reached?:true}`",
                    gives: "`{members:[MemberState],next}`: a page, by user names; `next` is the "
                        + "cursor of the next one, `null` after the last. With `reached` each has "
                        + "`reached:[{by,workedAt?,failing?}]`: the channels by which an SOS would "
                        + "reach them, and the hour in which each last worked",
                    looksAt: "the 2000 members")
            ) { fields, _ in
                let cursor = fields["cursor"] == nil ? nil : fields.name("cursor")
                let withReach = fields.bool(ifPresent: "reached") ?? false
                return fields.group().map {
                    GroupCommand.members($0, after: cursor, withReach: withReach)
                }
            },
            Method(
                "observer.create", .makes, [], against: [.changes, .answers],
                Form(
                    "`{group,name}`",
                    gives:
                        "`{observer,topic,username,token}`: whatever connects with this name and "
                        + "token sees what the group sees, and may do nothing else; all members see "
                        + "that it is there; a repetition is answered without `token`",
                    looksAt: "the 2000 members")
            ) { fields, _ in GroupCommand.createObserver(&fields) },
            Method(
                "observer.end", .changes, .operators, against: [],
                Form(
                    "`{group,observer}`",
                    gives: "`{}`: it sees nothing any more, whichever member made it")
            ) { fields, _ in GroupCommand.endObserver(&fields) },
        ],
        topics: [
            TopicRow(
                .userGroups, "{root}/users/{user}/groups", from: [.bridge],
                to: [.thatUser, .bridge],
                retained: .compared, "`[{group,name,role}]`"),
            TopicRow(
                .group, "{root}/groups/{group}", from: [.bridge],
                to: [.members, .observers, .bridge], retained: .compared,
                "`{group,name,members:[{user,name}],observers?:[{observer,name,by,since}]}`"),
            TopicRow(
                .member, "{root}/groups/{group}/members/{user}", from: [.bridge],
                to: [.members, .observers, .bridge], retained: .compared, "MemberState"),
        ],
        exports: [
            ExportList("group", "the groups that you are in"),
            ExportList("state", "what each of them sees of you"),
            ExportList("observer", "the programs that you let see what a group sees"),
        ])
}

internal import Tracking

extension Area {
    /// Groups, and which of them see a user's position.
    static let groups = Area(
        "Groups",
        methods: [
            Method(
                "group.create", .makes, [], against: [.changes, .answers],
                Form(Form("name", .displayName)) { GroupCommand.create(name: $0) },
                operators: GroupOperatorCommand.creation, result: GroupMessage.payload.schema),
            Method(
                "group.rename", .changes, [], against: [.changes, .answers],
                Form(Form.group, Form("name", .displayName)) { GroupCommand.rename($0, name: $1) },
                gives: "the group; without `members` and `observers` if they do not fit into the "
                    + "answer",
                looksAt: "the 2000 members"),
            Method(
                "group.remove", .changes, [], against: [],
                Form(Form.group, Form("user", .name)) { GroupCommand.removeMember($0, $1) },
                operators: Form(Form.group, Form("user", .name)) {
                    GroupOperatorCommand.remove($0, $1)
                },
                result: GroupMessage.payload.schema),
            Method(
                "group.leave", .changes, [], against: [],
                Form(Form.group) { GroupCommand.leave($0) }, gives: "`{}`"),
            Method(
                "group.list", .reads, .demo, Form { GroupCommand.list },
                operators: OperatorCommand.Page.form.map { GroupOperatorCommand.list($0) },
                result: GroupResult.list.schema),
            Method(
                "sharing.start", .changes, [],
                Form(
                    Form("groups", .selection), Form("until", .end, "when sharing ends").ifPresent
                ) { GroupCommand.startSharing($0, until: $1) },
                result: GroupResult.started.schema,
                gives: "`watchers` are the first 1000 of those who see where I am"),
            Method(
                "sharing.stop", .changes, [], against: [],
                Form(Form("groups", .selection)) { GroupCommand.stopSharing($0) },
                result: GroupResult.stopped.schema),
            Method(
                "sharing.pause", .changes, [], against: [],
                Form(Form("until", .end)) { GroupCommand.pauseSharing(until: $0) },
                result: GroupResult.paused.schema,
                gives: "no one sees where I am until then; after that everything is as before"),
            Method(
                "sharing.resume", .changes, [], Form { GroupCommand.resumeSharing },
                gives: "`{}`: the pause is over"),
            Method(
                "sharing.precision", .changes, [], against: [],
                Form(
                    Form.group,
                    Form(
                        "precision", .choice(of: Precision.self),
                        "how exactly the group sees where I am, except in an SOS")
                ) { GroupCommand.setPrecision($0, $1) },
                result: GroupResult.precision.schema),
            Method(
                "members.get", .reads, .demo,
                Form(
                    Form.group, Form("cursor", .name).ifPresent, Form("reached", .boolean).or(false)
                ) { GroupCommand.members($0, after: $1, withReach: $2) },
                gives: "`{members:[MemberState],next}`: a page, sorted by user name; `next` is the "
                    + "`cursor` of the next page, `null` at the end. With `reached:true` each has "
                    + "`reached:[{by,workedAt?,failing?}]`: the channels by which an SOS would "
                    + "reach them, and the hour in which each last worked",
                looksAt: "the 2000 members"),
            Method(
                "observer.create", .makes, [], against: [.changes, .answers],
                Form(Form.group, Form("name", .displayName)) {
                    GroupCommand.createObserver($0, name: $1)
                },
                result: GroupResult.observer.schema,
                gives: "a program that connects with this name and token sees what the group sees, "
                    + "and can do nothing else; all members see that it is there; a repeated "
                    + "request is answered without `token`",
                looksAt: "the 2000 members"),
            Method(
                "observer.end", .changes, [], against: [],
                Form(Form.group, Form("observer", .uuid)) { GroupCommand.endObserver($0, $1) },
                operators: Form.id("observer").map { GroupOperatorCommand.endObserver($0) },
                gives: "`{}`: it no longer sees anything, whichever member made it"),
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
        notices: [.addedToGroup, .removedFromGroup, .observerAdded, .observerEnded, .sharingEnded],
        exports: [
            ExportList("group", "the groups that you are in"),
            ExportList("state", "what each group sees of you"),
            ExportList("observer", "the programs that you let see what a group sees"),
        ],
        payloads: [MemberState.row])
}

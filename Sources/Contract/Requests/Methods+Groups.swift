extension Method {
    /// Groups, and which of them see a user's position.
    static let groups: [Method] = [
        Method("group.create", .makes, .operators, Form("`{name}`", gives: "the group")) {
            fields, _ in fields.displayName("name").map { .createGroup(name: $0) }
        },
        Method("group.rename", .changes, [], Form("`{group,name}`", gives: "the group")) {
            fields, _ in Command.renameGroup(&fields)
        },
        Method(
            "group.add", .changes, .operators,
            Form("`{group,user}` or `{group,email}`", gives: "the group")
        ) { fields, _ in Command.addMember(&fields) },
        Method("group.remove", .changes, .operators, Form("`{group,user}`", gives: "the group")) {
            fields, _ in Command.removeMember(&fields)
        },
        Method("group.leave", .changes, [], Form("`{group}`", gives: "`{}`")) {
            fields, _ in fields.group().map { .leaveGroup($0) }
        },
        Method("group.list", .reads, .demo, Form("", gives: "`{groups}`")) { _, _ in .listGroups },
        Method(
            "sharing.start", .changes, .demo,
            Form(
                #"`{groups:[…]}` or `{groups:"all"}`"#,
                gives: "`{states:[{group,state}],watchers:[user…],allWatchers}`: `watchers` are "
                    + "those who see it, the first 1000")
        ) { fields, _ in fields.groups().map { .startSharing($0) } },
        Method(
            "sharing.stop", .changes, .demo,
            Form(#"`{groups:[…]}` or `{groups:"all"}`"#, gives: "`{states:[{group,state}]}`")
        ) { fields, _ in fields.groups().map { .stopSharing($0) } },
        Method(
            "sharing.list", .reads, .demo,
            Form(
                "`{cursor?}`",
                gives: #"`{watchers:[{user,name?,why:"friend"\|"group",group?,groupName?,since}],"#
                    + "next}`: who sees where I am, now")
        ) { fields, _ in FriendCommand.watchers(&fields).map { .friends($0) } },
        Method(
            "members.get", .reads, .demo,
            Form(
                "`{group,cursor?}`",
                gives: "`{members:[MemberState],next}`: a page, by user names; `next` is the "
                    + "cursor of the next one, `null` after the last")
        ) { fields, _ in
            let cursor = fields["cursor"] == nil ? nil : fields.name("cursor")
            return fields.group().map { .members($0, after: cursor) }
        },
    ]
}

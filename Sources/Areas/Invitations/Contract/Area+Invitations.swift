internal import Tracking

extension Area {
    /// Joining a group: by invitation, unless people have allowed others to add them.
    static let invitations = Area(
        "Invitations",
        methods: [
            Method(
                "group.add", .changes, [], against: [.changes, .answers],
                InvitationCommand.addition,
                operators: Form(Form.group, Form("user", .name)) {
                    GroupOperatorCommand.add($0, $1)
                },
                result: InvitationResult.added.schema,
                gives: "with `invited` if the user was not added directly: such a user is invited, "
                    + "if they exist"),
            Method(
                "group.invite", .makes, [], against: [.changes, .answers],
                InvitationCommand.invitation,
                result: InvitationResult.created.schema,
                gives: "`path` is where the page shows it; a repeated request is answered without "
                    + "`token` and `path`",
                "the same without `token` and `path`, whether or not the user exists", "the same"),
            Method(
                "invitation.list", .reads, .demo,
                .either(
                    Form { InvitationCommand.list(nil) },
                    Form(Form.group) { InvitationCommand.list($0) }),
                gives: "`{invitations:[{invitation,name,by,byName,members,at,expiresAt}]}`: those "
                    + "for me, the newest first; `name` is the group's",
                "`{invitations:[{invitation,by,user?,email?,uses,used,at,expiresAt}]}`: the "
                    + "group's open ones; `email` only in my own"),
            Method(
                "invitation.get", .reads, .demo,
                Form(Form("token", .invitation)) { InvitationCommand.get($0) },
                guest: Form(Form("token", .invitation), Form.visitor) {
                    InvitationGuestCommand.get($0, visitor: $1)
                },
                result: InvitationResult.shown.schema,
                gives: "who invites to which group, the names of the programs that see the group, "
                    + "and its id if I am in it"),
            Method(
                "invitation.accept", .changes, [], against: [.changes, .answers],
                .either(
                    Form(Form("invitation", .uuid)) { InvitationCommand.accept(.id($0)) },
                    Form(Form("token", .invitation)) { InvitationCommand.accept(.token($0)) }),
                result: GroupMessage.payload.schema),
            Method(
                "invitation.decline", .changes, [], against: [],
                Form(Form("invitation", .uuid)) { InvitationCommand.decline($0) },
                gives: "`{}`: no one is notified"),
            Method(
                "invitation.revoke", .changes, [], against: [],
                Form(Form.group, Form("invitation", .uuid)) { InvitationCommand.revoke($0, $1) },
                gives: "`{}`: it can no longer be accepted"),
        ],
        notices: [.invitedToGroup],
        exports: [
            ExportList("invitation", "invitations that you have made or received")
        ])
}

internal import Tracking

extension Area {
    /// How people come into a group: invited, and asked, unless they have said who may add them.
    static let invitations = Area(
        "Invitations",
        methods: [
            Method(
                "group.add", .changes, .operators, against: [.changes, .answers],
                Form(
                    "`{group,user}` or `{group,email}`",
                    gives: "the group; with `invited:true` if the user was not added at once: if "
                        + "there is such a user, they are invited")
            ) { fields, _ in InvitationCommand.add(&fields) },
            Method(
                "group.invite", .makes, [], against: [.changes, .answers],
                Form(
                    "`{group,uses?,expires?}`",
                    gives: "`{invitation,expiresAt,uses,token,path}`: `path` is where the page "
                        + "shows it; a repetition is answered without `token` and `path`"),
                Form(
                    "`{group,user,expires?}` or `{group,email,expires?}`",
                    gives: "`{invitation,expiresAt,uses}`, whether or not there is such a user")
            ) { fields, circumstances in InvitationCommand.invite(&fields, circumstances) },
            Method(
                "invitation.list", .reads, .demo,
                Form(
                    "`{}`",
                    gives: "`{invitations:[{invitation,name,by,byName,members,at,expiresAt}]}`: "
                        + "those for you, the newest first; `name` is the group's"),
                Form(
                    "`{group}`",
                    gives: "`{invitations:[{invitation,by,user?,email?,uses,used,at,expiresAt}]}`: "
                        + "the group's open ones; `email` only of your own")
            ) { fields, _ in InvitationCommand.list(&fields) },
            Method(
                "invitation.get", .reads, .demo,
                Form(
                    "`{token}`",
                    gives: "`{name,inviter,members,observers,expiresAt,group?}`: who invites to "
                        + "what, the names of the programs that see the group, and its id if you "
                        + "are in it"),
                guest: { fields in GuestCommand.invitation(&fields) },
                user: { fields, _ in fields.invitationToken().map { InvitationCommand.get($0) } }),
            Method(
                "invitation.accept", .changes, [], against: [.changes, .answers],
                Form("`{token}` or `{invitation}`", gives: "the group")
            ) { fields, _ in InvitationCommand.accept(&fields) },
            Method(
                "invitation.decline", .changes, [], against: [],
                Form("`{invitation}`", gives: "`{}`: nobody is told")
            ) { fields, _ in fields.uuid("invitation").map { InvitationCommand.decline($0) } },
            Method(
                "invitation.revoke", .changes, [], against: [],
                Form("`{group,invitation}`", gives: "`{}`: nobody can accept it any longer")
            ) { fields, _ in InvitationCommand.revoke(&fields) },
        ],
        exports: [
            ExportList("invitation", "invitations that you have made, and that have reached you")
        ])
}

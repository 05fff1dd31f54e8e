extension Area {
    /// Accounts, and the devices that are logged in to them.
    static let accounts = Area(
        "Accounts",
        methods: [
            Method(
                "account.register", .changes, .password,
                Form(
                    "`{username,email,password,firstName,lastName,acceptTerms:true}`",
                    gives: "`{user}`"),
                guest: { fields in GuestCommand.register(&fields) }),
            Method(
                "account.login", .makes, .password,
                Form(
                    "`{login,password,device,visitor?}`",
                    gives: "`{user,device,token,root}`: `login` is the user name or the email "
                        + "address; the token that the device had stops working"),
                guest: { fields in GuestCommand.logIn(&fields) }),
            Method(
                "account.get", .reads, .demo,
                Form(
                    "",
                    gives: "`{user,email?,firstName?,lastName?,name,createdAt,addableBy,storing?}`")
            ) { _, _ in AccountCommand.get },
            Method(
                "account.update", .changes, [],
                Form(
                    "`{email?,firstName?,lastName?,addableBy?}`",
                    gives: "the same; `addableBy`, who may add you to a group without asking: "
                        + "`nobody`, `friends` or `anyone-in-my-groups`")
            ) { fields, _ in AccountCommand.update(&fields) },
            Method(
                "account.password", .changes, .password, against: [],
                Form(
                    "`{old,new,endOthers?:true}`",
                    gives: "`{}`, or with `endOthers` `{ended}`: all other devices are logged out, "
                        + "so many")
            ) { fields, _ in AccountCommand.changePassword(&fields) },
            Method(
                "account.delete", .changes, .password, against: [],
                Form(
                    "`{password}`",
                    gives: "`{deleted:{account,devices,memberships,fixes,paths,pathPoints,alerts,"
                        + "acknowledgements,messages,replies,notices,friends,channels}}`: how many "
                        + "were deleted")
            ) { fields, _ in fields.password("password").map { AccountCommand.delete($0) } },
            Method(
                "account.export", .reads, .demo,
                Form(
                    "`{cursor?}`",
                    gives: "`{items,next}`: a page, below 60 KiB; `next` is the cursor of the next "
                        + "one, `null` after the last")
            ) { fields, _ in AccountCommand.export(&fields) },
            Method(
                "account.logout", .changes, [], against: [],
                Form("", gives: "`{}`: this device's token stops working")
            ) { _, _ in AccountCommand.logOut },
            Method(
                "device.list", .reads, .demo,
                Form("", gives: "`{devices:[{device,createdAt,kind,loggedIn,current}]}`")
            ) { _, _ in AccountCommand.listDevices },
            Method(
                "device.revoke", .changes, [], against: [],
                Form("`{device}`", gives: "`{}`: that device's token stops working")
            ) { fields, _ in fields.name("device").map { AccountCommand.revokeDevice($0) } },
            Method("user.add", .changes, .operators),
            Method("user.remove", .changes, .operators),
            Method("user.token", .changes, .operators),
            Method("user.password", .changes, [.operators, .password]),
        ])
}

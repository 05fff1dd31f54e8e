extension Method {
    static let accounts: [Method] = [
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
            Form("", gives: "`{user,email?,firstName?,lastName?,name,createdAt,storing?}`")
        ) { _, _ in .account },
        Method(
            "account.update", .changes, [],
            Form("`{email?,firstName?,lastName?}`", gives: "the same")
        ) { fields, _ in Command.updateAccount(&fields) },
        Method(
            "account.password", .changes, .password,
            Form(
                "`{old,new,endOthers?:true}`",
                gives: "`{}`, or with `endOthers` `{ended}`: all other devices are logged out, "
                    + "so many")
        ) { fields, _ in Command.changePassword(&fields) },
        Method(
            "account.delete", .changes, .password,
            Form(
                "`{password}`",
                gives: "`{deleted:{account,devices,memberships,fixes,paths,pathPoints,alerts,"
                    + "acknowledgements,messages,replies,notices,friends}}`: how many were "
                    + "deleted")
        ) { fields, _ in fields.password("password").map { .deleteAccount($0) } },
        Method(
            "account.export", .reads, .demo,
            Form(
                "`{cursor?}`",
                gives: "`{items,next}`: a page, below 60 KiB; `next` is the cursor of the next "
                    + "one, `null` after the last")
        ) { fields, _ in Command.exportAccount(&fields) },
        Method(
            "account.logout", .changes, [],
            Form("", gives: "`{}`: this device's token stops working")
        ) { _, _ in .logOut },
    ]

    /// For monitors.
    public static let health = Method(
        "system.health", .reads, [],
        Form(
            "",
            gives: "`{storing:true}`: the service works, and has just written to its disk; no "
                + "answer where it cannot"),
        guest: { _ in .health })

    static let devices: [Method] = [
        Method(
            "device.list", .reads, .demo,
            Form("", gives: "`{devices:[{device,createdAt,kind,loggedIn,current}]}`")
        ) { _, _ in .listDevices },
        Method(
            "device.revoke", .changes, [],
            Form("`{device}`", gives: "`{}`: that device's token stops working")
        ) { fields, _ in fields.name("device").map { .revokeDevice($0) } },
    ]
}

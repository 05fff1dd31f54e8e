extension Area {
    /// Accounts, and the devices that are logged in to them.
    static let accounts = Area(
        "Accounts",
        methods: [
            Method(
                "account.register", .changes, .password,
                Form(
                    "`{username,email,password,firstName,lastName,acceptTerms:true,invitation?,"
                        + "visitor?}`",
                    gives: "`{user}`, a member of a group at once with `invitation`, the end of "
                        + "the link. Refused with `registration-closed`, `unknown-invitation` or "
                        + "`invitation-over`"),
                guest: { fields in GuestCommand.register(&fields) }),
            Method(
                "account.login", .makes, .password,
                Form(
                    "`{login,password,device,code?,visitor?}`",
                    gives: "`{user,device,token,root,ended?}`: `login` is the user name or the "
                        + "email address; the token that the device had stops working; `ended`: "
                        + "the device that was logged out to make room"),
                guest: { fields in GuestCommand.logIn(&fields) }),
            Method(
                "account.forgot", .changes, [],
                Form(
                    "`{login,visitor?}`",
                    gives: "`{}`, whether or not there is such a user: if their address has been "
                        + "verified for a week, a link for `account.recover` is sent there"),
                guest: { fields in GuestCommand.forgotten(&fields) }),
            Method(
                "account.recover", .changes, .password,
                Form(
                    "`{token,password,device?,endOthers?:false,visitor?}`",
                    gives:
                        "`{user,ended,kept?,passkeys?,links?,observers?}`, and with `device` what "
                        + "`account.login` gives, unless that needs a `code`: `token` is the end "
                        + "of a link; the rest as in `account.password`"),
                guest: { fields in GuestCommand.recover(&fields) }),
            Method(
                "account.verify", .changes, .password,
                Form("`{token,visitor?}`", gives: "`{}`: the address is verified"),
                guest: { fields in GuestCommand.verify(&fields) }),
            Method(
                "account.get", .reads, [.demo, .companies],
                Form(
                    "",
                    gives:
                        "`{user,kind?,directory?:true,email?,emailVerified?,firstName?,lastName?,name,createdAt,"
                        + "addableBy,phone?,phoneShownTo,language?,avatar?,storing?,pausedUntil?,secondFactor?:{since,recoveryCodes},"
                        + "terms?:{version,accepted?:{version,at}}}`")
            ) { _, _ in AccountCommand.get },
            Method(
                "account.update", .changes, [.password, .companies],
                Form(
                    "`{email?,firstName?,lastName?,addableBy?,password?,phone?,"
                        + #"phoneShownTo?:"sos"\|"groups",language?,avatar?}`"#,
                    gives: "as `account.get`; `null` removes `phone`, `language` and `avatar` "
                        + "([profile](#a-persons-profile)); a verified address takes the password; `addableBy`, who may "
                        + "add you to a group without asking: `nobody`, `friends` or "
                        + "`anyone-in-my-groups`")
            ) { fields, _ in AccountCommand.update(&fields) },
            Method(
                "avatar.get", .reads, .demo,
                Form(
                    "`{user}`",
                    gives: "`{user,digest,avatar}`: a PNG in base64, of yourself and of whoever "
                        + "shares a group with you or is a friend as you are theirs")
            ) { fields, _ in fields.name("user").map { AccountCommand.avatar($0) } },
            Method(
                "account.password", .changes, [.password, .companies], against: [],
                Form(
                    "`{old,new,endOthers?:true}`",
                    gives:
                        "`{}`, or with `endOthers` `{ended,kept?,passkeys?,links?,observers?}`: all other "
                        + "devices are logged out, so many, but for those in `kept`, all passkeys "
                        + "removed and all links of `share.create` and one's own observers ended, "
                        + "so many")
            ) { fields, _ in AccountCommand.changePassword(&fields) },
            Method(
                "account.accept", .changes, .companies, against: [],
                Form("`{version}`", gives: "as `account.get`: the present terms are accepted")
            ) { fields, _ in
                fields.string("version").map { AccountCommand.acceptTerms(version: $0) }
            },
            Method(
                "account.totp.start", .changes, [.password, .secretAnswer, .companies], against: [],
                Form(
                    "`{password}`",
                    gives: "`{secret,uri}`: for an authenticator app; nothing changes before "
                        + "`account.totp.confirm`")
            ) { fields, _ in
                fields.password("password").map { AccountCommand.startSecondFactor($0) }
            },
            Method(
                "account.totp.confirm", .changes, [.password, .secretAnswer, .companies],
                against: [],
                Form(
                    "`{code}`",
                    gives: "`{recoveryCodes:[…]}`: from now on logging in needs a code")
            ) { fields, _ in fields.code("code").map { AccountCommand.confirmSecondFactor($0) } },
            Method(
                "account.totp.stop", .changes, [.password, .companies], against: [],
                Form("`{password,code}`", gives: "`{}`: logging in needs no code any more")
            ) { fields, _ in AccountCommand.stopSecondFactor(&fields) },
        ] + passkeys + [
            Method(
                "account.delete", .changes, [.password, .companies], against: [],
                Form(
                    "`{password}`",
                    gives: "`{deleted:{account,devices,memberships,fixes,paths,pathPoints,alerts,"
                        + "acknowledgements,messages,replies,notices,friends,channels,links,"
                        + "invitations,vitals,imported}}`: how many were deleted")
            ) { fields, _ in fields.password("password").map { AccountCommand.delete($0) } },
            Method(
                "account.export", .reads, [.demo, .companies],
                Form(
                    "`{cursor?}`",
                    gives: "`{items,next}`: a page, below 60 KiB; `next` is the cursor of the next "
                        + "one, `null` after the last")
            ) { fields, _ in AccountCommand.export(&fields) },
            Method(
                "account.logout", .changes, .companies, against: [],
                Form("", gives: "`{}`: this device's token stops working")
            ) { _, _ in AccountCommand.logOut },
            Method(
                "device.list", .reads, [.demo, .companies],
                Form(
                    "",
                    gives:
                        "`{devices:[{device,createdAt,kind,loggedIn,current,carried?,named?,lastSeen?}]}`: "
                        + "`carried`: its positions are where I am; `named`: because I said so; "
                        + "`lastSeen` to the hour")
            ) { _, _ in AccountCommand.listDevices },
            Method(
                "device.revoke", .changes, .companies, against: [],
                Form("`{device}`", gives: "`{}`: that device's token stops working")
            ) { fields, _ in fields.name("device").map { AccountCommand.revokeDevice($0) } },
            Method(
                "device.remove", .changes, .companies, against: [],
                Form("`{device}`", gives: "`{}`: the name of a device that is logged out is free")
            ) { fields, _ in fields.name("device").map { AccountCommand.removeDevice($0) } },
            Method(
                "device.carry", .changes, [],
                Form(
                    "`{device}`",
                    gives: "`{}`: that device's positions are where I am, whatever the others say; "
                        + "`null`: what they do says it")
            ) { fields, _ in
                fields.isNull("device")
                    ? .carryDevice(nil)
                    : fields.name("device").map { AccountCommand.carryDevice($0) }
            },
            Method("user.list", .reads, .operators),
            Method("user.add", .changes, .operators),
            Method("user.import", .changes, [.operators, .password]),
            Method("user.rename", .changes, .operators),
            Method("user.revoke", .changes, .operators),
            Method("user.disable", .changes, .operators),
            Method("user.enable", .changes, .operators),
            Method("user.remove", .changes, .operators),
            Method("user.token", .changes, [.operators, .onMachine]),
            Method("user.password", .changes, [.operators, .password, .onMachine]),
            Method("user.invite", .changes, [.operators, .password]),
            Method("user.totp", .changes, [.operators, .onMachine]),
            Method("user.confirm", .changes, .operators),
        ],
        exports: [
            ExportList("passkey", "your passkeys"),
            ExportList("avatar", in: "avatar", "your picture"),
            ExportList(
                "directory", in: "directory", "who you are in your organisation's directory"),
        ])
}

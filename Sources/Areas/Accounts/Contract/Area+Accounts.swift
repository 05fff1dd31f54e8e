extension Area {
    /// Accounts, and the devices that are logged in to them.
    static let accounts = Area(
        "Accounts",
        methods: [
            Method(
                "account.register", .changes, [.password, .registers],
                guest: AccountGuestCommand.registration,
                result: AccountResult.user.schema,
                gives: "with `invitation` immediately a member of a group. Rejected with "
                    + "`registration-closed`, `unknown-invitation` or `invitation-over`"),
            Method(
                "account.login", .makes, [.password, .onFullDisk], guest: AccountGuestCommand.login,
                result: AccountResult.login.schema,
                gives: "the token that the device had stops "
                    + "working; `ended`: the device that was logged out to make room"),
            Method(
                "account.forgot", .changes, [], guest: AccountGuestCommand.forgetting,
                gives: "`{}`, whether or not the user exists: if their address has been "
                    + "verified for a week, a link for `account.recover` is sent there"),
            Method(
                "account.recover", .changes, .password, guest: AccountGuestCommand.recovery,
                gives: "`{user,ended,kept?,passkeys?,links?,observers?}`, and with `device` what "
                    + "`account.login` gives, unless that needs a `code`; the rest as in "
                    + "`account.password`"),
            Method(
                "account.verify", .changes, .password,
                guest: Form(Form("token", .link), Form.visitor) {
                    AccountGuestCommand.verify($0, visitor: $1)
                },
                gives: "`{}`: the address is verified"),
            Method(
                "account.get", .reads, [.demo, .companies], Form { AccountCommand.get },
                result: AccountResult.account.schema),
            Method(
                "account.update", .changes, [.password, .companies], AccountCommand.change,
                result: AccountResult.account.schema,
                gives: "`null` removes `phone`, `language` and `avatar` "
                    + "([profile](#a-persons-profile))"),
            Method(
                "avatar.get", .reads, .demo,
                Form(Form("user", .name)) { AccountCommand.avatar($0) },
                result: AccountResult.avatar.schema,
                gives: "a PNG in base64, of yourself, of anyone who "
                    + "shares a group with you, and of your friends if you are also theirs"),
            Method(
                "account.password", .changes, [.password, .companies], against: [],
                AccountCommand.passwordChange,
                result: AccountResult.ended.schema,
                gives: "empty, or with `endOthers` at least `ended`: all other devices are "
                    + "logged out, except those in `kept`, all passkeys are removed, and all "
                    + "links of `share.create` and your own observers are ended; the numbers say "
                    + "how many"),
            Method(
                "account.accept", .changes, .companies, against: [],
                Form(Form("version", .text)) { AccountCommand.acceptTerms(version: $0) },
                result: AccountResult.account.schema,
                gives: "the current terms are accepted"),
            Method(
                "account.totp.start", .changes, [.password, .secretAnswer, .companies], against: [],
                Form(Form("password", .password)) { AccountCommand.startSecondFactor($0) },
                result: AccountResult.secret.schema,
                gives: "for an authenticator app; nothing changes until "
                    + "`account.totp.confirm`"),
            Method(
                "account.totp.confirm", .changes, [.password, .secretAnswer, .companies],
                against: [], Form(Form("code", .code)) { AccountCommand.confirmSecondFactor($0) },
                result: AccountResult.recoveryCodes.schema,
                gives: "from now on, logging in requires a code"),
            Method(
                "account.totp.stop", .changes, [.password, .companies], against: [],
                Form(Form("password", .password), Form("code", .code)) {
                    AccountCommand.stopSecondFactor($0, $1)
                },
                gives: "`{}`: logging in no longer requires a code"),
        ] + passkeys + [
            Method(
                "account.delete", .changes, [.password, .companies], against: [],
                Form(Form("password", .password)) { AccountCommand.delete($0) },
                gives: "`{deleted:{account,devices,memberships,fixes,paths,pathPoints,alerts,"
                    + "acknowledgements,messages,replies,notices,friends,channels,links,"
                    + "invitations,vitals,imported}}`: how many were deleted"),
            Method(
                "account.export", .reads, [.demo, .companies],
                Form(Form("cursor", .text).ifPresent) { AccountCommand.export(cursor: $0) },
                gives: "`{items,next}`: a page, below 60 KiB; `next` is the `cursor` of the next "
                    + "page, `null` at the end"),
            Method(
                "account.logout", .changes, .companies, against: [],
                Form { AccountCommand.logOut }, gives: "`{}`: this device's token stops working"),
            Method(
                "device.list", .reads, [.demo, .companies], Form { AccountCommand.listDevices },
                result: AccountResult.devices.schema,
                gives: "`carried`: its positions are shown as yours; "
                    + "`named`: you chose it; `lastSeen` to the hour"),
            Method(
                "device.revoke", .changes, .companies, against: [],
                Form(Form("device", .name)) { AccountCommand.revokeDevice($0) },
                gives: "`{}`: that device's token stops working"),
            Method(
                "device.remove", .changes, .companies, against: [],
                Form(Form("device", .name)) { AccountCommand.removeDevice($0) },
                gives: "`{}`: the name of a logged-out device becomes free"),
            Method(
                "device.carry", .changes, [],
                Form(Form("device", .name).nullable) { AccountCommand.carryDevice($0) },
                gives: "`{}`: that device's positions are shown as yours, whatever others report; "
                    + "`null`: Kith chooses by what the devices do"),
            Method(
                "user.list", .reads, [],
                operators: OperatorCommand.Page.form.map { AccountOperatorCommand.list($0) }),
            Method("user.add", .changes, [], operators: AccountOperatorCommand.addition),
            Method("user.import", .changes, .password, operators: AccountOperatorCommand.newUsers),
            Method(
                "user.rename", .changes, [],
                operators: Form(Form("user", .name), Form("name", .displayName)) {
                    AccountOperatorCommand.rename($0, $1)
                }),
            Method(
                "user.revoke", .changes, [],
                operators: Form(Form("user", .name), Form("device", .name).ifPresent) {
                    AccountOperatorCommand.revokeDevices($0, device: $1)
                }),
            Method(
                "user.disable", .changes, [],
                operators: AccountOperatorCommand.user { .disable($0) }),
            Method(
                "user.enable", .changes, [], operators: AccountOperatorCommand.user { .enable($0) }),
            Method(
                "user.remove", .changes, [], operators: AccountOperatorCommand.user { .remove($0) }),
            Method("user.token", .changes, .onMachine, operators: AccountOperatorCommand.token),
            Method(
                "user.password", .changes, [.password, .onMachine],
                operators: AccountOperatorCommand.password),
            Method(
                "user.invite", .changes, .password,
                operators: Form(Form("user", .name), Form.hash) {
                    AccountOperatorCommand.invite($0, hash: $1)
                }),
            Method(
                "user.totp", .changes, .onMachine,
                operators: AccountOperatorCommand.user { .removeSecondFactor($0) }),
            Method(
                "user.confirm", .changes, [],
                operators: AccountOperatorCommand.user { .confirmAddress($0) }),
        ],
        notices: [
            .newLogin, .loggedOut, .clockWrong, .passwordChanged, .passwordForgotten, .emailChanged,
            .secondFactorOn, .secondFactorOff, .passkeyAdded, .passkeyRemoved,
        ],
        exports: [
            ExportList("passkey", "your passkeys"),
            ExportList("avatar", in: "avatar", "your picture"),
            ExportList(
                "directory", in: "directory", "your entry in your organisation's directory"),
        ],
        payloads: [PasskeyMessage.payload.row])
}

extension Area {
    /// Passkeys, which people use to log in instead of a password.
    static let passkeys: [Method] = [
        Method(
            "account.passkey.begin", .changes, [.secretAnswer, .companies], against: [],
            Form { AccountCommand.beginPasskey },
            gives: "`{options}`: for `navigator.credentials.create`, in the form of "
                + "`PublicKeyCredential.parseCreationOptionsFromJSON`; nothing changes until "
                + "`account.passkey.add`"),
        Method(
            "account.passkey.add", .changes, [.password, .companies], against: [],
            PasskeyAddition.form.map { AccountCommand.addPasskey($0) },
            result: AccountResult.passkey.schema),
        Method(
            "account.passkey.list", .reads, [.demo, .companies],
            Form { AccountCommand.listPasskeys },
            result: AccountResult.passkeys.schema,
            gives: "`offered` is false where browsers allow "
                + "no passkeys"),
        Method(
            "account.passkey.remove", .changes, [.password, .companies], against: [],
            Form(Form("passkey", .uuid), Form("password", .password)) {
                AccountCommand.removePasskey($0, $1)
            },
            gives: "`{}`: it can no longer be used to log in"),
        Method(
            "account.passkey.challenge", .reads, [],
            guest: Form { AccountGuestCommand.passkeyChallenge },
            gives: "`{options}`: for `navigator.credentials.get`, in the form of "
                + "`PublicKeyCredential.parseRequestOptionsFromJSON`; for anyone, for 5 "
                + "minutes"),
        Method(
            "account.passkey.login", .makes, [.password, .onFullDisk],
            guest: PasskeyLogin.form.map { AccountGuestCommand.logInByPasskey($0) },
            result: AccountResult.login.schema, gives: "no code is required"),
    ]
}

extension Area {
    /// Passkeys, with which people log in instead of with a password.
    static let passkeys: [Method] = [
        Method(
            "account.passkey.begin", .changes, [.secretAnswer, .companies], against: [],
            Form(
                "",
                gives: "`{options}`: for `navigator.credentials.create`, in the form of "
                    + "`PublicKeyCredential.parseCreationOptionsFromJSON`; nothing changes before "
                    + "`account.passkey.add`")
        ) { _, _ in AccountCommand.beginPasskey },
        Method(
            "account.passkey.add", .changes, [.password, .companies], against: [],
            Form(
                "`{credential:{id,response:{attestationObject,clientDataJSON}},label?,password,"
                    + "code?}`",
                gives: "`{passkey:Passkey}`: `credential` is `toJSON()` of what the browser has "
                    + "made; with a second factor it takes a `code` as well")
        ) { fields, _ in AccountCommand.addPasskey(&fields) },
        Method(
            "account.passkey.list", .reads, [.demo, .companies],
            Form(
                "",
                gives: "`{passkeys:[Passkey],offered}`: `offered` is false where browsers allow "
                    + "no passkeys")
        ) { _, _ in AccountCommand.listPasskeys },
        Method(
            "account.passkey.remove", .changes, [.password, .companies], against: [],
            Form("`{passkey,password}`", gives: "`{}`: nobody logs in with it any more")
        ) { fields, _ in AccountCommand.removePasskey(&fields) },
        Method(
            "account.passkey.challenge", .reads, [],
            Form(
                "",
                gives: "`{options}`: for `navigator.credentials.get`, in the form of "
                    + "`PublicKeyCredential.parseRequestOptionsFromJSON`; for anybody, for 5 "
                    + "minutes"),
            guest: { _ in GuestCommand.passkeyChallenge }),
        Method(
            "account.passkey.login", .makes, .password,
            Form(
                "`{credential:{id,response:{authenticatorData,clientDataJSON,signature,"
                    + "userHandle}},device,visitor?}`",
                gives: "as `account.login`; no code is asked for"),
            guest: { fields in GuestCommand.logInByPasskey(&fields) }),
    ]
}

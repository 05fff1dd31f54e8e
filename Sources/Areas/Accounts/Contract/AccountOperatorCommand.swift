internal import JSON

/// The operator's commands about accounts.
public enum AccountOperatorCommand: AreaOperatorCommand {
    case list(OperatorCommand.Page)
    case add(Name, DisplayName, email: EmailAddress?, ownTracksPublishIsSOS: Bool)
    case `import`([OperatorCommand.NewUser])
    case rename(Name, DisplayName)
    case revokeDevices(Name, device: Name?)
    case disable(Name)
    case enable(Name)
    case remove(Name)
    case setToken(user: Name, device: Name, hash: [UInt8], speaksOwnTracks: Bool)
    case setPassword(Name, PasswordHash)
    case invite(Name, hash: [UInt8])
    case removeSecondFactor(Name)
    case confirmAddress(Name)

    static func user(_ make: @escaping @Sendable (Name) -> Self) -> Form<Self> {
        Form("user", .name).map(make)
    }

    static let addition = Form(
        Form("user", .name), Form("name", .displayName), Form("email", .email).ifPresent,
        Form("publishIsSOS", .boolean).or(false)
    ) { AccountOperatorCommand.add($0, $1, email: $2, ownTracksPublishIsSOS: $3) }

    static let newUsers = Form.list(
        "users",
        of: Form(
            Form("user", .name), Form("name", .displayName), Form("email", .email).ifPresent,
            Form.group.ifPresent, Form.hash.ifPresent
        ) { OperatorCommand.NewUser($0, $1, email: $2, group: $3, link: $4) }
    ).map { AccountOperatorCommand.import($0) }

    static let token = Form(
        Form("user", .name), Form("device", .name), Form.hash, Form("ownTracks", .boolean).or(false)
    ) { AccountOperatorCommand.setToken(user: $0, device: $1, hash: $2, speaksOwnTracks: $3) }

    static let password = Form(
        Form("user", .name),
        Form.text("hash", orRefuse: "must be a password hash") { PasswordHash($0) }
    ) { AccountOperatorCommand.setPassword($0, $1) }
}

extension OperatorCommand {
    /// A row of an import.
    public struct NewUser: Sendable {
        public var name: Name
        public var displayName: DisplayName
        public var email: EmailAddress?
        public var group: GroupKey?
        /// The hash of the link with which the user sets a password.
        public var link: [UInt8]?

        public init(
            _ name: Name, _ displayName: DisplayName, email: EmailAddress? = nil,
            group: GroupKey? = nil, link: [UInt8]? = nil
        ) {
            (self.name, self.displayName, self.email) = (name, displayName, email)
            (self.group, self.link) = (group, link)
        }
    }

    public static func addUser(
        _ user: Name, displayName: String, email: String?, ownTracksPublishIsSOS isSOS: Bool
    ) -> OperatorCommand {
        .init("user.add", ["user": user.text, "name": displayName, "email": email]) { json in
            json.key("publishIsSOS")
            json.bool(isSOS)
        }
    }

    /// Part of an import.
    public static func importUsers(_ users: [NewUser]) -> OperatorCommand {
        .init("user.import") { json in
            json.key("users")
            json.array(users) { json, user in
                json.object { json in
                    json.member("user", user.name.text)
                    json.member("name", user.displayName.text)
                    json.member("email", user.email?.text)
                    json.member("group", user.group?.text)
                    json.member("hash", user.link.map { Hexadecimal.text($0) })
                }
            }
        }
    }

    /// Sets a new display name.
    public static func renameUser(_ user: Name, _ name: DisplayName) -> OperatorCommand {
        .init("user.rename", ["user": user.text, "name": name.text])
    }

    /// Logs one device out, or all except those that groups rely on now.
    public static func revokeDevices(_ user: Name, device: Name?) -> OperatorCommand {
        .init("user.revoke", ["user": user.text, "device": device?.text])
    }

    /// Locks the user out.
    public static func disableUser(_ user: Name) -> Self { .init("user.disable", of: user) }
    public static func enableUser(_ user: Name) -> Self { .init("user.enable", of: user) }
    public static func removeUser(_ user: Name) -> Self { .init("user.remove", of: user) }
    public static func removeSecondFactor(_ user: Name) -> Self { .init("user.totp", of: user) }
    /// Marks the account's address as confirmed.
    public static func confirmAddress(_ user: Name) -> Self { .init("user.confirm", of: user) }

    private init(_ method: String, of user: Name) { self.init(method, ["user": user.text]) }

    /// - Parameter hash: of the token's secret.
    public static func setToken(
        user: Name, device: Name, hash: [UInt8], speaksOwnTracks: Bool
    ) -> OperatorCommand {
        .init(
            "user.token",
            ["user": user.text, "device": device.text, "hash": Hexadecimal.text(hash)]
        ) { json in
            json.key("ownTracks")
            json.bool(speaksOwnTracks)
        }
    }

    public static func setPassword(user: Name, _ hash: PasswordHash) -> OperatorCommand {
        .init("user.password", ["user": user.text, "hash": hash.text])
    }

    /// - Parameter hash: of the link with which the user sets a password.
    public static func inviteUser(_ user: Name, hash: [UInt8]) -> OperatorCommand {
        .init("user.invite", ["user": user.text, "hash": Hexadecimal.text(hash)])
    }
}

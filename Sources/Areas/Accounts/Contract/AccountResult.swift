internal import Base64
public import Tracking

/// The results of requests about accounts.
public enum AccountResult {
    public static let user = Payload<Name>(.init("user", .name) { $0 })

    // MARK: Logging in

    public static let login = Payload<Login>(
        .members(of: user) { $0.token.user },
        .members(of: device) { $0 })

    /// A login without the user.
    public static let device = Payload<Login>(
        .init("device", .name) { $0.token.device },
        .init("token", .text) { $0.token.text },
        .init("root", .text) { $0.root },
        .init("ended", .name) { $0.ended })

    /// - `root`: the topics'.
    /// - `ended`: the device that was logged out to make room.
    public typealias Login = (token: DeviceToken, root: String, ended: Name?)

    // MARK: The account

    public static let account = Payload<Account>(
        .init("user", .name) { $0.user },
        .init("kind", .choice) { $0.kind == .person ? nil : $0.kind },
        .flag("directory") { $0.isOfDirectory },
        .init("email", .text) { $0.email },
        .flag("emailVerified") { $0.isVerified },
        .init("firstName", .text) { $0.firstName },
        .init("lastName", .text) { $0.lastName },
        .init("name", .text) { $0.name },
        .init("createdAt", .time) { $0.createdAt },
        .init("addableBy", .choice) { $0.addableBy },
        .init("phone", .text) { $0.profile.phone?.text },
        .init("phoneShownTo", .choice) { $0.profile.phoneShownTo },
        .init("language", .choice) { $0.profile.language },
        .init("avatar", .text) { $0.profile.avatar },
        .init(
            "secondFactor",
            .object(
                .init("since", .time) { $0.since },
                .init("recoveryCodes", .count) { $0.recoveryCodes })
        ) { $0.secondFactor },
        .init(
            "terms",
            .object(
                .init("version", .text) { $0.version },
                .init("accepted", .object(acceptance)) { $0.accepted })
        ) { $0.terms },
        .init("pausedUntil", .time) { $0.pausedUntil },
        .init("storing", .boolean) { $0.storesNothing ? false : nil })

    private static let acceptance = Payload<Acceptance>(
        .init("version", .text) { $0.version },
        .init("at", .time) { $0.acceptedAt })

    /// - `secondFactor`: nil if there is none; `recoveryCodes` is how many are left.
    /// - `terms`: the current version, and the acceptance of any.
    public typealias Account = (
        user: Name, kind: AccountKind, isOfDirectory: Bool, email: String?, isVerified: Bool,
        firstName: String?, lastName: String?, name: String, createdAt: Timestamp,
        addableBy: Addability, profile: Profile,
        secondFactor: (since: Timestamp, recoveryCodes: Int)?,
        terms: (version: String, accepted: Acceptance?)?, pausedUntil: Timestamp?,
        storesNothing: Bool
    )
    public typealias Acceptance = (version: String, acceptedAt: Timestamp)

    public static let avatar = Payload<(user: Name, digest: String, png: [UInt8])>(
        .init("user", .name) { $0.user },
        .init("digest", .text) { $0.digest },
        .init("avatar", .text) { Base64.encode($0.png) })

    // MARK: Logging in with more or other than a password

    public static let secret = Payload<(secret: [UInt8], user: Name)>(
        .init("secret", .text) { TimeCode.text(of: $0.secret) },
        .init("uri", .text) { TimeCode.address($0.secret, of: $0.user) })

    public static let recoveryCodes = Payload<[RecoveryCode]>(
        .init("recoveryCodes", .list(of: .text)) { $0.map(\.text) })

    public static let passkey = Payload<PasskeyMessage>(
        .init("passkey", .object(PasskeyMessage.payload)) { $0 })

    /// - `isOffered`: whether browsers allow passkeys here.
    public static let passkeys = Payload<(passkeys: [PasskeyMessage], isOffered: Bool)>(
        .init("passkeys", .list(of: .object(PasskeyMessage.payload))) { $0.passkeys },
        .init("offered", .boolean) { $0.isOffered })

    // MARK: Devices, and logging them out

    public static let devices = Payload<[Device]>(
        .init(
            "devices",
            .list(
                of: .object(
                    .init("device", .name) { $0.name },
                    .init("createdAt", .time) { $0.createdAt },
                    .init("kind", .text) { $0.kind },
                    .init("loggedIn", .boolean) { $0.isLoggedIn },
                    .init("current", .boolean) { $0.isCurrent },
                    .flag("carried") { $0.isCarried },
                    .flag("named") { $0.isNamed },
                    .init("lastSeen", .time) { $0.lastSeen }))
        ) { $0 })

    public typealias Device = (
        name: Name, createdAt: Timestamp, kind: String, isLoggedIn: Bool, isCurrent: Bool,
        isCarried: Bool, isNamed: Bool, lastSeen: Timestamp?
    )

    /// Of nil, an empty object.
    public static let ended = Payload<Ended?>(
        .init("ended", .count) { $0?.devices },
        .init("kept", .list(of: .name)) { $0.flatMap { $0.kept.isEmpty ? nil : $0.kept } },
        .init("passkeys", .count) { $0?.passkeys.unlessZero },
        .init("links", .count) { $0?.links.unlessZero },
        .init("observers", .count) { $0?.observers.unlessZero })

    /// The numbers of what was ended to lock others out.
    public struct Ended: Sendable {
        let devices: Int
        /// The devices that are still logged in, besides the requester's.
        let kept: [Name]
        let passkeys: Int
        let links: Int
        let observers: Int

        public init(
            devices: Int, kept: [Name], passkeys: Int = 0, links: Int = 0, observers: Int = 0
        ) {
            (self.devices, self.kept, self.passkeys) = (devices, kept, passkeys)
            (self.links, self.observers) = (links, observers)
        }
    }
}

extension Int {
    fileprivate var unlessZero: Int? { self == 0 ? nil : self }
}

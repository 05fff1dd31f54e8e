public import Tracking

/// The gate's source of rights: the part of a store that the gate needs.
///
/// Used by the broker's only thread, which serves no other client during a call. Requirements are
/// in docs/decisions/0035-gate-access-source.md.
public protocol AccessSource: AnyObject {
    /// Whether it has been replaced since, for example by another file: then it must be reopened.
    /// Queried once per second.
    var isReplaced: Bool { get }

    /// A value that changes with every commit. Queried up to a thousand times per second, so it
    /// must be cheap.
    func version() throws(AccessSourceError) -> Int64

    /// The number of the newest rights change, 0 if there is none. Numbers increase and are never
    /// reused.
    func newestChange() throws(AccessSourceError) -> Int64

    /// Returns the changes since the change with this number.
    ///
    /// - Returns: nil if unknown, because some of these changes are no longer kept, or an earlier
    ///   state was restored: then all rights may have changed.
    func changes(after number: Int64) throws(AccessSourceError) -> AccessChanges?

    /// - Returns: nil if there is no such user.
    func access(of user: Name) throws(AccessSourceError) -> UserAccess?

    /// Whether there is such a user now: a name without a user is unused, or its account was
    /// deleted.
    func hasUser(_ name: Name) throws(AccessSourceError) -> Bool

    /// When the newest account was created; nil if there is none.
    func newestAccount() throws(AccessSourceError) -> Timestamp?

    /// Nil if there is no such grant, or it has ended.
    func access(of grant: Grant) throws(AccessSourceError) -> GrantAccess?

    /// SHA-256 of the secret of the program's token; nil if it has none.
    func tokenHash(of system: Principal.System) throws(AccessSourceError) -> [UInt8]?

    /// The public key that encrypts messages only for the bridge; nil if there is none. Queried
    /// once per second.
    func envelopeKey() throws(AccessSourceError) -> [UInt8]?
}

/// The holders of changed rights.
public struct AccessChanges: Hashable, Sendable {
    /// The number of the last of these changes; if there are none, the number of the query.
    public var last: Int64
    public var holders: Set<RightsHolder>

    public init(last: Int64, holders: Set<RightsHolder>) {
        self.last = last
        self.holders = holders
    }
}

/// The data that decides the rights of a user's devices.
public struct UserAccess: Hashable, Sendable {
    /// When the owner received the name: a later owner of the name is a different user.
    public var since: Timestamp
    /// SHA-256 of the secret of each device's token; devices without a token may not connect.
    public var tokenHashes: [Name: [UInt8]]
    public var facts: AccessFacts

    public init(
        since: Timestamp, tokenHashes: [Name: [UInt8]] = [:], facts: AccessFacts = AccessFacts()
    ) {
        self.since = since
        self.tokenHashes = tokenHashes
        self.facts = facts
    }
}

/// The data that decides the rights of a grant's bearers.
public struct GrantAccess: Hashable, Sendable {
    /// SHA-256 of the token's secret.
    public var tokenHash: [UInt8]
    /// The person who made it, to whom its use is charged.
    public var maker: Name
    public var facts: AccessFacts

    public init(tokenHash: [UInt8], maker: Name, facts: AccessFacts = AccessFacts()) {
        (self.tokenHash, self.maker, self.facts) = (tokenHash, maker, facts)
    }
}

/// The reason why an ``AccessSource`` cannot be opened or read.
public struct AccessSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the log, without stored data.
    public let description: String

    public init(_ description: String) { self.description = description }
}

public import Tracking

/// Where the gate reads who may do what: a store, as far as the gate needs to know it.
///
/// Used by the broker's only thread, which serves nobody else meanwhile. What it must promise is in
/// docs/decisions/0035-another-store-can-stand-behind-the-gate.md.
public protocol AccessSource: AnyObject {
    /// Whether something else has since taken its place, such as another file: then it is to be
    /// opened again. Asked once per second.
    var isReplaced: Bool { get }

    /// A value that changes whenever anything is committed. Asked up to a thousand times per second,
    /// so it must cost little.
    func version() throws(AccessSourceError) -> Int64

    /// The number of the newest change of anybody's rights, 0 if there is none. Numbers grow and are
    /// never used again.
    func newestChange() throws(AccessSourceError) -> Int64

    /// What has changed since the change with this number.
    ///
    /// - Returns: nil if that is not known, since some of these changes are no longer kept, or it
    ///   was brought back to an earlier state: then everybody's rights may have changed.
    func changes(after number: Int64) throws(AccessSourceError) -> AccessChanges?

    /// - Returns: nil if there is no such user.
    func access(of user: Name) throws(AccessSourceError) -> UserAccess?

    /// Whether there is such a user now: a name without one belongs to nobody, or to somebody whose
    /// account was deleted.
    func hasUser(_ name: Name) throws(AccessSourceError) -> Bool

    /// When the newest account was created; nil if there is none.
    func newestAccount() throws(AccessSourceError) -> Timestamp?

    /// Nil if there is no such link, or it shows nothing any more.
    func access(ofShare share: UUIDv7) throws(AccessSourceError) -> ShareAccess?

    /// Nil if there is no such observer, or it has ended.
    func access(ofObserver observer: UUIDv7) throws(AccessSourceError) -> ObserverAccess?

    /// SHA-256 of the secret of the program's token; nil if it has none.
    func tokenHash(of system: Principal.System) throws(AccessSourceError) -> [UInt8]?

    /// The public key with which messages for the bridge alone are encrypted; nil if there is none.
    /// Asked once per second.
    func envelopeKey() throws(AccessSourceError) -> [UInt8]?
}

/// Whose rights have changed.
public struct AccessChanges: Hashable, Sendable {
    /// The number of the last of these changes; if there are none, the number that was asked about.
    public var last: Int64
    public var holders: Set<RightsHolder>

    public init(last: Int64, holders: Set<RightsHolder>) {
        self.last = last
        self.holders = holders
    }
}

/// What decides the rights of a user's devices.
public struct UserAccess: Hashable, Sendable {
    /// When the name was given to its owner: a later owner of the name is somebody else.
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

/// What decides the rights of whoever has a link.
public struct ShareAccess: Hashable, Sendable {
    /// SHA-256 of the secret of their token.
    public var tokenHash: [UInt8]
    /// Whom it shows.
    public var owner: Name

    public init(tokenHash: [UInt8], owner: Name) {
        (self.tokenHash, self.owner) = (tokenHash, owner)
    }
}

/// What decides the rights of a program that sees what a group sees.
public struct ObserverAccess: Hashable, Sendable {
    /// SHA-256 of the secret of its token.
    public var tokenHash: [UInt8]
    public var group: GroupKey
    /// Who has made it.
    public var maker: Name

    public init(tokenHash: [UInt8], group: GroupKey, maker: Name) {
        (self.tokenHash, self.group, self.maker) = (tokenHash, group, maker)
    }
}

/// Why an ``AccessSource`` cannot be opened or read.
public struct AccessSourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the log, without anything that is stored.
    public let description: String

    public init(_ description: String) { self.description = description }
}

import Contract
import Limits
import Tracking

/// A client that was accepted, from its CONNECT until its session is forgotten, which for a
/// persistent session is longer than its connection.
final class Session {
    let principal: Principal
    let clientID: SessionID
    /// Nil for guests.
    let username: String?
    let address: String
    /// The network of the address, by which guests are told apart.
    let network: NetworkAddress
    /// The hash of the token with which it connected; nil for guests.
    let tokenHash: [UInt8]?
    /// When the user was given the name; nil for other principals, and if the name has no owner.
    let since: Timestamp?
    /// Whether it resumes its queued messages.
    let isContinued: Bool
    /// Whether it persists after its connection has ended, with messages queued for it.
    let mayLast: Bool

    var isConnected = true
    /// When the connection ended.
    var leftAt: Duration?
    /// Its token was revoked: it gets the reply to its last request and nothing more.
    var isRevoked = false
    /// The queued messages: while its client is offline, and after it reconnects, until the broker
    /// has examined them.
    var waiting: Waiting?
    /// Whether it has just reconnected, and its queued messages are being examined.
    var isReturning: Bool { isConnected && waiting != nil }
    /// How many of them were refused before one that was not; nil if those were few.
    var refusedFirst: Int? = 0
    /// Whether the queued messages belong to somebody else, who had the name before.
    var isInherited = false
    /// Whether only replies to its own requests can be on their way to it.
    var receivesOnlyReplies: Bool
    /// The sources whose messages of QoS 1 may be queued for it at the broker.
    var queued = AccessSources()
    /// The sources that it has ever subscribed to: the broker keeps the subscription to a group
    /// that the user has left, and delivers its messages again if the user rejoins. Nil if it may
    /// be any of them.
    var subscribed: AccessSources? = AccessSources()

    /// Those of the sources whose messages are queued for it from now on.
    func queued(of sources: AccessSources) -> AccessSources {
        subscribed?.intersection(sources) ?? sources
    }
    /// The most bytes of a packet that it takes; nil if it takes any, or if that is not known.
    var packetMaximum: Int?
    /// The topics of messages that it was told it does not get for their size.
    var untaken: Set<String> = []
    /// A guest's use of the allowance for messages.
    var messages: TokenBucket
    /// Shared with the party's other connections; nil if the principal is not metered.
    var meter: Meters.Meter?
    /// Who has made the observer, or the link; nil for other principals.
    var payer: Name?
    var flow: Flow
    var refusalsTold: TokenBucket

    init(
        _ principal: Principal, _ clientID: SessionID, username: String?, address: String,
        tokenHash: [UInt8]?, since: Timestamp?, isContinued: Bool, mayLast: Bool,
        _ limits: GateSettings.Limits, at now: Duration
    ) {
        self.principal = principal
        self.clientID = clientID
        self.username = username
        self.address = address
        network = NetworkAddress(address)
        self.tokenHash = tokenHash
        self.since = since
        self.isContinued = isContinued
        self.mayLast = mayLast
        receivesOnlyReplies = !isContinued
        messages = TokenBucket(limits.guestMessages, at: now)
        flow = Flow(limits, at: now)
        refusalsTold = TokenBucket(limits.refusalsTold, at: now)
    }

    var isGuest: Bool {
        if case .guest = principal { true } else { false }
    }

    /// How it is reported to the bridge; nil if the bridge needs no report of it.
    var party: ConnectionReport.Party? {
        switch principal {
        case .device(let device, let user): .device(device, of: user)
        case .guest(let client): .guest(client, address: address)
        case .system(.dispatch): .dispatch
        case .service, .system, .viewer, .observer: nil
        }
    }

    var holder: RightsHolder? { principal.holder }

    /// Who is charged for what it does, from its own party upwards.
    var charged: [Meters.Party] { Meters.charged(for: principal, payer, at: network) }
}

import Contract
import Tracking

/// A client that was let in, from its CONNECT until its session is forgotten; with a persistent
/// session that is longer than its connection.
final class Session {
    let principal: Principal
    let clientID: SessionID
    /// Nil for guests.
    let username: String?
    let address: String
    /// Where the address is, as people are told apart by it.
    let network: NetworkAddress
    /// With which it came in; nil for guests.
    let tokenHash: [UInt8]?
    /// When the user's name was given to its owner; nil for others, and for nobody's.
    let since: Timestamp?
    /// Whether it takes up what was queued.
    let isContinued: Bool
    /// Whether it is kept when its connection has ended, and what is sent to it waits.
    let mayLast: Bool

    var isConnected = true
    /// When the connection ended.
    var leftAt: Duration?
    /// Its token stopped working: it gets the answer to its last request and nothing more.
    var isRevoked = false
    /// What waits for it: while its client is away, and when it comes back, until the broker has
    /// looked through that.
    var waiting: Waiting?
    /// Whether it has just come back, and what waits for it is being looked through.
    var isReturning: Bool { isConnected && waiting != nil }
    /// What waits was somebody else's who had the name before.
    var isInherited = false
    /// Whether nothing but answers to its own requests can be on the way to it.
    var hearsRepliesAlone: Bool
    /// Of whom messages of QoS 1 may wait for it at the broker.
    var queued = AccessSources()
    /// To whom it has ever subscribed: the broker keeps the subscription to a group that was
    /// left, and whoever joins again gets its messages again. Nil: it may be any of them.
    var subscribed: AccessSources? = AccessSources()

    /// Of these, those whose messages are queued for it from now on.
    func queued(of sources: AccessSources) -> AccessSources {
        subscribed?.intersection(sources) ?? sources
    }
    /// A guest's own.
    var messages: Allowance.Use
    /// Shared with the party's other connections; nil for those who are not measured.
    var meter: Meters.Meter?
    var flow: Flow
    var refusalsTold: Allowance.Use

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
        hearsRepliesAlone = !isContinued
        messages = Allowance.Use(limits.guestMessages, at: now)
        flow = Flow(limits, at: now)
        refusalsTold = Allowance.Use(limits.refusalsTold, at: now)
    }

    var isGuest: Bool {
        if case .guest = principal { true } else { false }
    }

    /// What the bridge is told of it; nil for those whom it does not ask about.
    var party: ConnectionReport.Party? {
        switch principal {
        case .device(let device, let user): .device(device, of: user)
        case .guest(let client): .guest(client, address: address)
        case .service, .system: nil
        }
    }
}

import Contract
import Limits
import Tracking

/// A client that was accepted, from its CONNECT until its session is forgotten, which for a
/// persistent session is longer than its connection.
final class Session {
    let principal: Principal
    /// The principal's, kept since it is read for each message.
    let row: PrincipalRow
    let clientID: SessionID
    let address: String
    /// The network of the address, which distinguishes guests.
    let network: NetworkAddress
    /// The hash of the token with which it connected; nil for guests.
    let tokenHash: [UInt8]?
    /// When the user received the name; nil for other principals, and if the name has no owner.
    let since: Timestamp?
    /// Whether it resumes its queued messages.
    let isContinued: Bool
    /// Whether it persists after its connection has ended, with messages queued for it.
    let mayLast: Bool

    var isConnected = true
    /// When the connection ended.
    var leftAt: Duration?
    /// Whether its token was revoked: it receives the reply to its last request and nothing more.
    var isRevoked = false
    /// The queued messages: while its client is offline, and after it reconnects, until the broker
    /// has examined them.
    var waiting: Waiting?
    /// Whether it has just reconnected, and its queued messages are being examined.
    var isReturning: Bool { isConnected && waiting != nil }
    /// The number of them refused before the first accepted one; nil if these were few.
    var refusedFirst: Int? = 0
    /// Whether the queued messages belong to a former owner of the name.
    var isInherited = false
    /// Whether only replies to its own requests can be on their way to it.
    var receivesOnlyReplies: Bool
    /// The sources whose messages of QoS 1 may be queued for it at the broker.
    var queued = AccessSources()
    /// The sources that it has ever subscribed to: the broker keeps the subscription to a group
    /// that the user has left, and delivers its messages again if the user rejoins. Nil if it may
    /// be any of them.
    var subscribed: AccessSources? = AccessSources()

    /// Returns the sources whose messages are queued for it from now on.
    func queued(of sources: AccessSources) -> AccessSources {
        subscribed?.intersection(sources) ?? sources
    }
    /// The maximum packet size that it accepts, in bytes; nil if unlimited or unknown.
    var packetMaximum: Int?
    /// The topics for which it was notified that messages are too large.
    var untaken: Set<String> = []
    /// A guest's use of the allowance for messages.
    var messages: TokenBucket
    /// Shared with the party's other connections; nil if the principal is not metered.
    var meter: Meters.Meter?
    /// The device's user, or the maker of the grant; nil for others.
    var payer: Name?
    var flow: Flow
    var refusalsTold: TokenBucket

    init(
        _ principal: Principal, _ clientID: SessionID, address: String,
        tokenHash: [UInt8]?, since: Timestamp?, isContinued: Bool, mayLast: Bool,
        _ limits: GateSettings.Limits, at now: Duration
    ) {
        (self.principal, row) = (principal, principal.row)
        self.clientID = clientID
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

    var isGuest: Bool { row.charge == .address }
    /// Nil for guests.
    var username: String? { isGuest ? nil : principal.username }

    /// The party reported to the bridge; nil if the bridge needs no report.
    var party: ConnectionReport.Party? {
        guard row.isReported else { return nil }
        return switch principal {
        case .device(let device, let user): .device(device, of: user)
        case .guest(let client): .guest(client, address: address)
        case .system(.dispatch): .dispatch
        case .service, .bearer, .system: nil
        }
    }

    var holder: RightsHolder? { principal.holder }

    /// The parties charged for its actions, from its own party upwards.
    var charged: [Meters.Party] { Meters.charged(for: principal, payer, at: network) }
}

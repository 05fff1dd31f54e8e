internal import Limits
internal import Logging
internal import MQTT

/// The state of the bridge's connections to one broker.
final class BrokerConnection {
    enum State {
        /// Until the next attempt.
        case waiting(until: ContinuousClock.Instant)
        case connecting(
            Background<ConnectionPlan.Opened>, since: ContinuousClock.Instant, isSparing: Bool)
        /// With the reading of the retained messages.
        case connected(ConnectionPlan.Opened, Background<[String: [UInt8]]>)
    }

    let number: Int
    let address: BridgeSettings.Broker.Address
    /// What tells the broker from others in the log; empty if there is only one.
    let metadata: Logger.Metadata
    var state = State.waiting(until: .now)
    /// An attempt whose result is not wanted any more: another would end its connections, and it
    /// those of another.
    private var abandoned: Background<ConnectionPlan.Opened>?
    /// The connection besides, while it is opened again; only if the bridge can do without.
    var side: (opening: Background<SideConnection>?, since: ContinuousClock.Instant) = (nil, .now)
    /// Whether the retained messages were read.
    var hasRead = false
    /// Whether the broker permits everything that the bridge has to do.
    var isSettled = false
    var pause = Backoff(from: .milliseconds(200), to: .seconds(2))
    /// The reason why it could not be reached last time.
    var lastComplaint: String?

    init(_ number: Int, _ address: BridgeSettings.Broker.Address, isOneOfSeveral: Bool) {
        (self.number, self.address) = (number, address)
        metadata = isOneOfSeveral ? ["broker": "\(address)"] : [:]
    }

    var opened: ConnectionPlan.Opened? {
        if case .connected(let opened, _) = state { opened } else { nil }
    }

    /// Whether a connection is being made, and does not take long.
    var isAboutToOpen: Bool {
        if case .connecting(_, let since, _) = state { .now - since < .seconds(1) } else { false }
    }

    /// Whether it is time for another attempt.
    var isDue: Bool {
        if case .waiting(let end) = state {
            end <= .now && abandoned?.isRunning != true
        } else {
            false
        }
    }

    /// Drops the connections, and waits before the next attempt.
    func wait() {
        if case .waiting(let end) = state, end > .now { return }
        if case .connecting(let connecting, _, _) = state {
            connecting.cancel()
            abandoned = connecting
        }
        side.opening = nil
        state = .waiting(until: .now + pause.next())
        (hasRead, isSettled) = (false, false)
    }
}

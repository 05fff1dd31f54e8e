internal import Limits
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
    /// By which the log tells it from others; nil if there is only one.
    let name: String?
    var state = State.waiting(until: .now)
    /// Whether the retained messages were read.
    var hasRead = false
    /// Whether the broker permits everything that the bridge has to do.
    var isSettled = false
    var pause = Backoff(from: .milliseconds(200), to: .seconds(2))
    /// The reason why it could not be reached last time.
    var lastComplaint: String?

    init(_ number: Int, _ address: BridgeSettings.Broker.Address, isOneOfSeveral: Bool) {
        (self.number, self.address) = (number, address)
        name = isOneOfSeveral ? "\(address)" : nil
    }

    var opened: ConnectionPlan.Opened? {
        if case .connected(let opened, _) = state { opened } else { nil }
    }

    /// Whether a connection is being made, and does not take long.
    var isAboutToOpen: Bool {
        if case .connecting(_, let since, _) = state { .now - since < .seconds(1) } else { false }
    }

    /// Drops the connections, and waits before the next attempt.
    func wait() {
        if case .waiting(let end) = state, end > .now { return }
        state = .waiting(until: .now + pause.next())
        (hasRead, isSettled) = (false, false)
    }
}

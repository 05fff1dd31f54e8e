internal import Synchronization

/// The state of the broker, set by its runner and read by all others.
final class Readiness: Sendable {
    enum State {
        /// Not started yet, or about to be restarted.
        case starting
        /// It accepts connections.
        case ready(process: Int32)
        /// It failed to start the first time, and is not started again.
        case failed(BrokerError)
    }

    private let value = Mutex<(state: State, wasEverReady: Bool)>((.starting, false))
    private let renewing = Mutex(false)

    var state: State { value.withLock { $0.state } }
    var wasEverReady: Bool { value.withLock { $0.wasEverReady } }

    /// Returns whether Mosquitto was asked to end only to be restarted, and resets the flag.
    func takeRenewal() -> Bool {
        renewing.withLock { value in
            defer { value = false }
            return value
        }
    }

    func noteRenewal() { renewing.withLock { $0 = true } }

    func set(_ state: State) {
        value.withLock {
            $0.state = state
            if case .ready = state { $0.wasEverReady = true }
        }
    }
}

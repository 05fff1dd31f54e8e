internal import Contract
internal import HTTPTypes
internal import JSON
internal import Synchronization

/// Whether the service works, as the bridge says (`system.health`); asked only now and then, over a
/// connection that stays open for it.
actor Health {
    enum Finding: Sendable {
        /// The bridge has just stored something.
        case well
        /// The bridge has just stored something, but the disk is full, and only calls for help may
        /// use what is left of it.
        case sparing
        /// The broker took nothing.
        case noBroker
        /// The broker took the question, but the bridge is not there, or cannot store.
        case noBridge
    }

    private let connections: VisitorConnections
    private var last: (at: ContinuousClock.Instant, finding: Finding)?
    /// The check in progress, shared by all callers that ask meanwhile.
    private var look: Task<Finding, Never>?

    init(_ connections: VisitorConnections) { self.connections = connections }

    /// Comes after ``patience`` at the latest.
    var finding: Finding {
        get async {
            if let last, .now - last.at < Health.freshness { return last.finding }
            let look = look ?? Task { [connections] in await Health.look(connections) }
            self.look = look
            let finding = await look.value
            if self.look == look {
                self.look = nil
                last = (.now, finding)
            }
            return finding
        }
    }

    private static func look(_ connections: VisitorConnections) async -> Finding {
        let taken = Flag()
        let finding = await first(within: patience) { () async -> Finding in
            do throws(Refusal) {
                let reply = try await connections.ask(
                    .health, Method.health.name, Array("{}".utf8), within: patience
                ) { taken.raise() }
                return found(in: reply)
            } catch {
                return taken.isRaised ? .noBridge : .noBroker
            }
        }
        // The connections' thread may itself wait for a broker.
        return finding ?? (taken.isRaised ? .noBridge : .noBroker)
    }

    /// What the bridge's answer says.
    static func found(in reply: [UInt8]) -> Finding {
        let result = JSONValue(parsing: reply)?["result"]
        if result?["storing"] == .bool(true) { return .well }
        return result?["calls"] == .bool(true) ? .sparing : .noBridge
    }

    private static let freshness = Duration.seconds(5)
    /// The longest that anybody waits for the health, or for the metrics: shorter than the timeout
    /// of monitoring clients, which would take no answer for a broken page.
    static let patience = Duration.seconds(2)
}

/// Set once, from another thread.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }
    func raise() { value.withLock { $0 = true } }
}

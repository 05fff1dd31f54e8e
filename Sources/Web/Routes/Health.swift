internal import Contract
internal import HTTPTypes
internal import JSON

/// Whether the service works, as the bridge says (`system.health`); asked only now and then.
actor Health {
    enum Finding: Sendable {
        /// The bridge has just stored something.
        case well
        case noBroker
        /// The broker is there, but the bridge is not, or cannot store.
        case noBridge
    }

    private let connections: VisitorConnections
    private var last: (at: ContinuousClock.Instant, finding: Finding)?
    /// The check in progress, shared by all callers that ask meanwhile.
    private var look: Task<Finding, Never>?

    init(_ connections: VisitorConnections) { self.connections = connections }

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
        do throws(Refusal) {
            let reply = try await connections.ask(
                visitor, Method.health.name, Array("{}".utf8), within: Health.patience)
            return isWell(reply) ? .well : .noBridge
        } catch {
            return error.status == .serviceUnavailable ? .noBroker : .noBridge
        }
    }

    static func isWell(_ reply: [UInt8]) -> Bool {
        JSONValue(parsing: reply)?["result"]?["storing"] == .bool(true)
    }

    private static let freshness = Duration.seconds(5)
    /// Shorter than the timeout of monitoring clients, which would take no answer for a broken
    /// page.
    private static let patience = Duration.seconds(8)
    /// Uses a connection of its own, separate from those of other guests.
    private static let visitor = Visitor.guest(-1)
}

internal import Contract
internal import HTTPTypes
internal import JSON
internal import Synchronization

/// The service's health, according to the bridge (`system.health`); queried only now and then, over
/// a connection that stays open for it.
actor Health {
    enum Finding: Sendable {
        /// The bridge has just stored something.
        case well
        /// The bridge has just stored something, but the disk is full, and only calls for help may
        /// use the remaining space.
        case sparing
        /// The broker did not accept the query.
        case noBroker
        /// The broker accepted the query, but the bridge is absent, or cannot store.
        case noBridge
    }

    struct Report: Sendable {
        var finding: Finding
        /// The names of the operator's public concerns.
        var concerns: [String] = []
    }

    private let connections: VisitorConnections
    private var last: (at: ContinuousClock.Instant, report: Report)?
    /// The check in progress, shared by all concurrent callers.
    private var look: Task<Report, Never>?

    init(_ connections: VisitorConnections) { self.connections = connections }

    /// Returned within ``patience``.
    var report: Report {
        get async {
            if let last, .now - last.at < Health.freshness { return last.report }
            let look = look ?? Task { [connections] in await Health.look(connections) }
            self.look = look
            let report = await look.value
            if self.look == look {
                self.look = nil
                last = (.now, report)
            }
            return report
        }
    }

    private static func look(_ connections: VisitorConnections) async -> Report {
        let taken = Flag()
        let report = await first(within: patience) { () async -> Report in
            do throws(Refusal) {
                let reply = try await connections.ask(
                    .health, Method.health.name, Array("{}".utf8), within: patience
                ) { taken.raise() }
                return found(in: reply)
            } catch {
                return Report(finding: taken.isRaised ? .noBridge : .noBroker)
            }
        }
        // The connections' thread may itself wait for a broker.
        return report ?? Report(finding: taken.isRaised ? .noBridge : .noBroker)
    }

    /// Parses the bridge's answer.
    static func found(in reply: [UInt8]) -> Report {
        let result = JSONValue(parsing: reply)?["result"]
        let concerns = result?.texts("concerns") ?? []
        if result?["storing"] == .bool(true) { return Report(finding: .well, concerns: concerns) }
        let isSparing = result?["calls"] == .bool(true)
        return Report(finding: isSparing ? .sparing : .noBridge, concerns: concerns)
    }

    private static let freshness = Duration.seconds(5)
    /// The maximum wait for the health, or for the metrics: shorter than the timeout of monitoring
    /// clients, which would interpret no answer as a broken page.
    static let patience = Duration.seconds(2)
}

/// Set once, from another thread.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }
    func raise() { value.withLock { $0 = true } }
}

/// Whether broker and bridge answer, checked only now and then.
actor Health {
    private let connections: VisitorConnections
    private var last: (at: ContinuousClock.Instant, isWell: Bool)?
    /// The check in progress, shared by all callers that ask meanwhile.
    private var look: Task<Bool, Never>?

    init(_ connections: VisitorConnections) { self.connections = connections }

    var isWell: Bool {
        get async {
            if let last, .now - last.at < Health.freshness { return last.isWell }
            let look = look ?? Task { [connections] in await Health.look(connections) }
            self.look = look
            let isWell = await look.value
            if self.look == look {
                self.look = nil
                last = (.now, isWell)
            }
            return isWell
        }
    }

    private static func look(_ connections: VisitorConnections) async -> Bool {
        do throws(Refusal) {
            // No method has this name; the bridge's refusal shows that it is alive.
            _ = try await connections.ask(
                visitor, "healthz", Array("{}".utf8), within: Health.patience)
            return true
        } catch {
            return false
        }
    }

    private static let freshness = Duration.seconds(5)
    /// Shorter than the timeout of monitoring clients, which would take no answer for a broken
    /// page.
    private static let patience = Duration.seconds(8)
    /// Uses a connection of its own, separate from those of other guests.
    private static let visitor = Visitor.guest(-1)
}

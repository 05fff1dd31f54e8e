/// Whether broker and bridge answer, looked at now and then.
actor Health {
    private let connections: VisitorConnections
    private var last: (at: ContinuousClock.Instant, isWell: Bool)?
    /// The look that is being taken, for all who ask meanwhile.
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
            // No method has this name: that the bridge says so is the sign of life.
            _ = try await connections.ask(
                visitor, "healthz", Array("{}".utf8), within: Health.patience)
            return true
        } catch {
            return false
        }
    }

    private static let freshness = Duration.seconds(5)
    /// Shorter than that of those who ask: they would take no answer for a broken page.
    private static let patience = Duration.seconds(8)
    /// A line of its own, beside those of other guests.
    private static let visitor = Visitor.guest(-1)
}

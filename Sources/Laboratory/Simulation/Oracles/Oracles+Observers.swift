import Contract
import MQTT
import Store
import Tracking

/// The subscriptions and messages of programs that observe a group.
extension Oracles {
    /// The statement that ends an observer.
    static let observerEnd = "DELETE FROM observers WHERE id = ?"

    func noteEnd(ofObserver row: Written) {
        if let id = row.text(0).flatMap({ UUIDv7($0) }) { observerEndedAt[id] = world.steady }
    }

    /// Called for every filter that the gate grants to a client.
    func subscribed(to filter: String, _ wire: SimulatedSocket) {
        guard case .bearer(let grant) = wire.principal, grant.kind == .observer,
            !hasJustEnded(grant.id),
            !policy.maySubscribe(to: filter, wire.principal, facts(of: grant, wire))
        else { return }
        fail("access", "\(wire.clientID) may subscribe to \(filter)")
    }

    func delivered(
        _ message: Message, at place: AccessPolicy.TopicMatch, to observer: Grant,
        _ wire: SimulatedSocket, isQueued: Bool
    ) {
        if isQueued, hasJustEnded(observer.id) { return }
        if !policy.mayReceive(place, wire.principal, facts(of: observer, wire)) {
            fail("access", "\(wire.clientID) got \(message.topic)")
        }
    }

    /// Returns no rights if the token is not the observer's, if it has ended, or if its creator is
    /// no longer a member of the group.
    private func facts(of observer: Grant, _ wire: SimulatedSocket) -> AccessFacts {
        let facts = read { transaction -> AccessFacts? in
            guard let access = try transaction.access(of: observer),
                access.tokenHash == wire.tokenHash,
                let row = try transaction.observers().first(where: { $0.id == observer.id }),
                try transaction.memberships().contains(where: {
                    $0.group == row.group && $0.user == row.user
                })
            else { return nil }
            return access.facts
        }
        return (facts ?? nil) ?? AccessFacts()
    }

    private func hasJustEnded(_ observer: UUIDv7) -> Bool {
        observerEndedAt[observer].map { world.steady - $0 <= Oracles.patience } ?? false
    }
}

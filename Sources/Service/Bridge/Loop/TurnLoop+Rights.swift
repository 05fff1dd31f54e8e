internal import Clocks
internal import Contract
internal import Glibc

/// The rights that the brokers' gates have.
extension TurnLoop {
    /// Waits a moment until the gates have the change of this number. Where one does not, everything
    /// is held until it has.
    func awaitRights(_ number: Int64, at brokers: [ServedBroker]) {
        for broker in brokers {
            if broker.publisher.rightsCheck == nil {
                broker.pause(for: AccessPolicy.freshness)
            } else {
                broker.askForRights(number)
            }
        }
        while brokers.contains(where: \.isAskedForRights) {
            for broker in brokers { broker.lookAtRights() }
            guard brokers.contains(where: \.isAskedForRights) else { return }
            usleep(1_000)
        }
    }

    /// Notifies groups of the calls for help that are not stored yet.
    func announceEarly(at moment: ClockReading) {
        for broker in brokers { broker.lookAtRights() }
        // Where rights are missing, people who may not see them any more would receive them.
        let held = brokers.filter(\.publisher.isHeld).map(\.number)
        earlyCalls.announce(at: moment.steady, to: { !held.contains($0) }) {
            engine.earlyAlerts(of: $0, at: moment.wall)
        }
    }
}

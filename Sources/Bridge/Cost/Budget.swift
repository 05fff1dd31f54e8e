import Contract
import Tracking

/// What one person, or all guests together, have caused and may cause yet, in units of ``Cost``.
///
/// What something costs is known when it was done: a budget may come to be overdrawn. Then what can
/// wait does; of each kind one is had in every ``BridgeSettings/Fairness/leastPace`` all the same,
/// so that nothing waits for ever, whatever one's other devices do.
final class Budget {
    enum Service: Int, CaseIterable {
        /// A request is done.
        case request
        /// The groups are shown a position.
        case position
    }

    private let allowance: Allowance
    private let leastPace: Duration
    private var left: Double
    private var last: Timestamp?
    /// When each service was had the last time.
    private var had: [Timestamp?] = [nil, nil]

    init(_ allowance: Allowance, leastPace: Duration) {
        self.allowance = allowance
        self.leastPace = leastPace
        left = allowance.burst
    }

    /// No more is overdrawn than the burst: who stops is served again as soon as that is earned.
    func charge(_ cost: Double, at now: Timestamp) {
        earn(until: now)
        left = max(left - cost, -allowance.burst)
    }

    /// Whether it is had now; counts as had then.
    func take(_ service: Service, at now: Timestamp) -> Bool {
        guard next(service, at: now) <= now else { return false }
        had[service.rawValue] = now
        return true
    }

    /// When the service can be had: now, or later.
    func next(_ service: Service, at now: Timestamp) -> Timestamp {
        earn(until: now)
        guard left < 0, let had = had[service.rawValue] else { return now }
        // Rounded up: at that moment nothing is overdrawn.
        let earned = now + .milliseconds(Int64((-left / allowance.perSecond * 1000).rounded(.up)))
        return max(now, min(earned, min(had, now) + leastPace))
    }

    /// A clock that was set back takes nothing away.
    private func earn(until now: Timestamp) {
        defer { last = now }
        guard let last, last < now else { return }
        left = min(
            allowance.burst, left + (now - last) / .seconds(1) * allowance.perSecond)
    }
}

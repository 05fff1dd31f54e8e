import Contract
import Limits
import Numbers
import Tracking

/// The load that one person, or all guests together, have caused and may still cause, in units of
/// ``Cost``.
///
/// A cost is known only after the work is done, so a budget may be overdrawn. Work that can wait
/// then has to; but one service of each kind is granted in every
/// ``BridgeSettings/Fairness/leastPace``, so that nothing waits for ever, whatever the person's
/// other devices do.
final class Budget {
    enum Service: Int, CaseIterable {
        /// Doing a request.
        case request
        /// Showing a position to the groups.
        case position
        /// Passing samples on to services.
        case samples
        /// Storing vital signs.
        case vitals
    }

    private let allowance: Allowance
    private let leastPace: Duration
    private var bucket: TokenBucket
    /// When each service was last granted.
    private var had: [Timestamp?] = Service.allCases.map { _ in nil }

    init(_ allowance: Allowance, leastPace: Duration) {
        self.allowance = allowance
        self.leastPace = leastPace
        bucket = TokenBucket(allowance, at: .zero)
    }

    /// The budget is overdrawn by no more than the burst, so that a person who stops is served
    /// again as soon as that is earned.
    func charge(_ cost: Double, at now: Timestamp) {
        bucket.spend(cost, downTo: -allowance.burst, of: allowance, at: now.sinceEpoch)
    }

    func isOverdrawn(at now: Timestamp) -> Bool {
        bucket.left(of: allowance, at: now.sinceEpoch) < 0
    }

    /// Returns whether the service is granted now, and records the grant.
    func take(_ service: Service, at now: Timestamp) -> Bool {
        guard next(service, at: now) <= now else { return false }
        had[service.rawValue] = now
        return true
    }

    /// Returns when the service can be granted: now, or later.
    func next(_ service: Service, at now: Timestamp) -> Timestamp {
        let left = bucket.left(of: allowance, at: now.sinceEpoch)
        guard left < 0, let had = had[service.rawValue] else { return now }
        // Rounded up, so that the budget is no longer overdrawn at that moment.
        let earned =
            now + .milliseconds(Int64(clamping: (-left / allowance.perSecond * 1000).rounded(.up)))
        return max(now, min(earned, min(had, now) + leastPace))
    }
}

extension Timestamp {
    fileprivate var sinceEpoch: Duration { .milliseconds(milliseconds) }
}

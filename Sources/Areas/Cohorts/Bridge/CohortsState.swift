import Contract
import Store
import Tracking

/// The cohorts' state between turns.
final class CohortsState: AreaState {
    /// The last complete hour since the epoch; nil before counting starts.
    var completeHour: Int?
    /// Whether the next hour is being summarized.
    var isSummarizing = false
    /// The next time to look for work; nil if another event determines it.
    var nextLook: Timestamp? = CohortsState.soon
    private static let soon = Timestamp(milliseconds: 0)
    private(set) var subscriptions: [UUIDv7: CohortSubscription] = [:]
    /// Subscriptions with a question in progress.
    private var asked: Set<UUIDv7> = []
    /// The last day encrypted again in this round.
    var sealedThrough = (user: UserID(rawValue: 0), day: 0)
    /// Companies with a question in progress.
    var waiting: [UserID] = []

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        completeHour = try transaction.completeHour()
        for subscription in try transaction.cohortSubscriptions() { set(subscription) }
    }

    func set(_ subscription: CohortSubscription) {
        subscriptions[subscription.id] = subscription
        asked.remove(subscription.id)
        look()
    }

    /// Lets the next turn look for work.
    func look() { nextLook = CohortsState.soon }

    func remove(_ id: UUIDv7) {
        subscriptions[id] = nil
        asked.remove(id)
    }

    /// Returns the subscriptions with a question about a complete hour, and marks them as asked.
    func takeQuestions() -> [CohortSubscription] {
        guard let completeHour else { return [] }
        let open = subscriptions.values
            .filter { $0.nextHour <= completeHour && !asked.contains($0.id) }
            .sorted { $0.id < $1.id }
        asked.formUnion(open.map(\.id))
        return open
    }
}

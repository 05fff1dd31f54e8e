import Contract
import Store
import Tracking

/// What cohorts need between turns.
final class CohortsState: AreaState {
    /// The last hour since the epoch that is complete; nil before anybody was counted.
    var completeHour: Int?
    /// Whether the next one is being summed up.
    var isSummarizing = false
    /// When there may be something to do; nil while that follows from something else.
    var nextLook: Timestamp? = CohortsState.soon
    private static let soon = Timestamp(milliseconds: 0)
    private(set) var subscriptions: [UUIDv7: CohortSubscription] = [:]
    /// Subscriptions whose next question is being answered.
    private var asked: Set<UUIDv7> = []
    /// How far what older keys open has been encrypted anew in this round.
    var sealedThrough = (user: UserID(rawValue: 0), day: 0)
    /// Companies whose questions are being answered.
    var waiting: [UserID] = []

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        completeHour = try transaction.completeHour()
        for subscription in try transaction.cohortSubscriptions() { set(subscription) }
    }

    func set(_ subscription: CohortSubscription) {
        subscriptions[subscription.id] = subscription
        asked.remove(subscription.id)
        look()
    }

    /// Has the next turn look what there is to do.
    func look() { nextLook = CohortsState.soon }

    func remove(_ id: UUIDv7) {
        subscriptions[id] = nil
        asked.remove(id)
    }

    /// The subscriptions with a question about an hour that is complete, and notes that they are
    /// asked.
    func takeQuestions() -> [CohortSubscription] {
        guard let completeHour else { return [] }
        let open = subscriptions.values
            .filter { $0.nextHour <= completeHour && !asked.contains($0.id) }
            .sorted { $0.id < $1.id }
        asked.formUnion(open.map(\.id))
        return open
    }
}

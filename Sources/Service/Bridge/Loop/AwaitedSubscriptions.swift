internal import MQTT

/// The subscriptions to the bridge's inputs that the broker has not answered yet. Until all are
/// granted, messages may be missed.
struct AwaitedSubscriptions {
    private let all: Set<Connection.SubscriptionID>
    private var open: Set<Connection.SubscriptionID>
    private let deadline: Duration

    /// - Parameter now: the steady clock's time.
    init(_ identifiers: Set<Connection.SubscriptionID>, at now: Duration) {
        (all, open) = (identifiers, identifiers)
        deadline = now + AwaitedSubscriptions.patience
    }

    /// Whether messages would be missed without it.
    func isNecessary(_ identifier: Connection.SubscriptionID) -> Bool { all.contains(identifier) }

    var isEmpty: Bool { open.isEmpty }

    /// - Returns: whether this was the last answer.
    mutating func note(_ identifier: Connection.SubscriptionID) -> Bool {
        open.remove(identifier) != nil && open.isEmpty
    }

    func isOverdue(at now: Duration) -> Bool { !open.isEmpty && now >= deadline }

    private static let patience = Duration.seconds(10)
}

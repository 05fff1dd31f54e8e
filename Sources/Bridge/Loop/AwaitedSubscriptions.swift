internal import MQTT

/// The subscriptions to the bridge's inputs that the broker has not answered yet. Until all are
/// granted, somebody might not be heard.
struct AwaitedSubscriptions {
    private var open: Set<Connection.SubscriptionID>
    private let deadline: Duration

    /// - Parameter now: by the steady clock.
    init(_ identifiers: Set<Connection.SubscriptionID>, at now: Duration) {
        open = identifiers
        deadline = now + AwaitedSubscriptions.patience
    }

    var isEmpty: Bool { open.isEmpty }

    /// - Returns: whether this was the last answer.
    mutating func note(_ identifier: Connection.SubscriptionID) -> Bool {
        open.remove(identifier) != nil && open.isEmpty
    }

    func isOverdue(at now: Duration) -> Bool { !open.isEmpty && now >= deadline }

    private static let patience = Duration.seconds(10)
}

internal import Contract
internal import DequeModule
internal import Limits

/// What a connection that all spectators share is still to subscribe to, as the gate cuts off a guest who
/// subscribes to much at once, after a lost connection as well.
struct SubscriptionPace {
    private var waiting: Deque<(filter: String, withRetained: Bool)> = []
    private var bucket: TokenBucket?
    private var addresses: TokenBuckets<NetworkAddress>?

    /// A connection begins: nothing has been subscribed to.
    mutating func begin(_ limits: WebSettings.Limits, at now: Duration) {
        waiting = []
        bucket = TokenBucket(limits.subscriptions, at: now)
    }

    mutating func add(_ filter: String, withRetained: Bool) {
        waiting.append((filter, withRetained))
    }

    /// The next filter; nil if there is none, or it has to wait.
    mutating func next(_ limits: WebSettings.Limits, at now: Duration)
        -> (filter: String, withRetained: Bool)?
    {
        guard !waiting.isEmpty, bucket?.take(of: limits.subscriptions, at: now) == true else {
            return nil
        }
        return waiting.popFirst()
    }

    /// - Returns: whether the address may ask for so many.
    mutating func take(
        _ count: Int, of address: NetworkAddress, _ limits: WebSettings.Limits, at now: Duration
    ) -> Bool {
        var buckets = addresses ?? TokenBuckets(limits.subscriptionsOfAddress)
        defer { addresses = buckets }
        return buckets.take(address, Double(count), at: now)
    }
}

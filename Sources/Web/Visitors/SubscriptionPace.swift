internal import Contract
internal import DequeModule
internal import Limits

/// What a connection that all spectators share is still to subscribe to, as the gate cuts off a guest who
/// subscribes to much at once, after a lost connection as well. Addresses take turns.
struct SubscriptionPace {
    /// Nil: what was subscribed to before the connection was lost.
    private var turns: Deque<NetworkAddress?> = []
    private var waiting: [NetworkAddress?: Deque<String>] = [:]
    private var bucket: TokenBucket?
    private var addresses: TokenBuckets<NetworkAddress>?

    /// A connection begins: nothing has been subscribed to.
    mutating func begin(_ limits: WebSettings.Limits, at now: Duration) {
        (turns, waiting) = ([], [:])
        bucket = TokenBucket(limits.subscriptions, at: now)
    }

    /// - Parameter filter: one that does not wait yet.
    mutating func add(_ filter: String, from address: NetworkAddress?) {
        if waiting[address] == nil { turns.append(address) }
        waiting[address, default: []].append(filter)
    }

    /// The next filter; nil if there is none, or it has to wait.
    ///
    /// - Parameter isWanted: whether there is still a reader.
    mutating func next(
        _ limits: WebSettings.Limits, at now: Duration, _ isWanted: (String) -> Bool
    ) -> String? {
        while let address = turns.first, let filter = waiting[address]?.first {
            let isTaken = isWanted(filter)
            guard !isTaken || bucket?.take(of: limits.subscriptions, at: now) == true else {
                return nil
            }
            turns.removeFirst()
            waiting[address]?.removeFirst()
            if waiting[address]?.isEmpty == true {
                waiting[address] = nil
            } else {
                turns.append(address)
            }
            if isTaken { return filter }
        }
        return nil
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

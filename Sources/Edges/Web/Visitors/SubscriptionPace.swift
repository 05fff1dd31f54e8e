internal import Contract
internal import DequeModule
internal import Limits

/// The pending subscriptions of the connection that all spectators share: the gate disconnects a
/// guest that subscribes to too much at a time, also after a lost connection. Addresses take turns.
struct SubscriptionPace {
    /// Nil: subscriptions from before the connection was lost.
    private var turns: Deque<NetworkAddress?> = []
    private var waiting: [NetworkAddress?: Deque<String>] = [:]
    private var bucket: TokenBucket?
    private var addresses: TokenBuckets<NetworkAddress>?

    /// Resets for a new connection, without subscriptions.
    mutating func begin(_ limits: WebSettings.Limits, at now: Duration) {
        (turns, waiting) = ([], [:])
        bucket = TokenBucket(limits.subscriptions, at: now)
    }

    /// - Parameter filter: a filter that is not waiting yet.
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

    /// - Returns: whether the address may request this many.
    mutating func take(
        _ count: Int, of address: NetworkAddress, _ limits: WebSettings.Limits, at now: Duration
    ) -> Bool {
        var buckets = addresses ?? TokenBuckets(limits.subscriptionsOfAddress)
        defer { addresses = buckets }
        return buckets.take(address, Double(count), at: now)
    }
}

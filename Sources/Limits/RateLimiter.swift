internal import Synchronization

/// A ``TokenBucket`` for each key. Keys whose allowance is full again are forgotten.
public final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let allowance: Allowance
    private let start: ContinuousClock.Instant
    private let buckets = Mutex<[Key: TokenBucket]>([:])

    public init(_ allowance: Allowance, at now: ContinuousClock.Instant = .now) {
        self.allowance = allowance
        start = now
    }

    /// - Returns: whether enough of the allowance was left.
    public func take(_ key: Key, _ cost: Double = 1, at now: ContinuousClock.Instant = .now)
        -> Bool
    {
        let now = now - start
        return buckets.withLock { buckets in
            if buckets.count >= RateLimiter.capacity, buckets[key] == nil {
                for (other, var bucket) in buckets where bucket.isFull(allowance, at: now) {
                    buckets[other] = nil
                }
                // If the table is still full, all entries are forgotten.
                if buckets.count >= RateLimiter.capacity { buckets = [:] }
            }
            return buckets[key, default: TokenBucket(allowance, at: now)]
                .take(cost, of: allowance, at: now)
        }
    }

    /// The most keys that are remembered.
    static var capacity: Int { 20_000 }
}

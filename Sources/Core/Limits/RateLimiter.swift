internal import Synchronization

/// ``TokenBuckets`` for use from several threads, by the continuous clock.
public final class RateLimiter<Key: Hashable & Sendable>: Sendable {
    private let start: ContinuousClock.Instant
    private let buckets: Mutex<TokenBuckets<Key>>

    public init(_ allowance: Allowance, at now: ContinuousClock.Instant = .now) {
        start = now
        buckets = Mutex(TokenBuckets(allowance))
    }

    /// - Returns: whether enough of the allowance was left.
    public func take(_ key: Key, _ cost: Double = 1, at now: ContinuousClock.Instant = .now)
        -> Bool
    {
        buckets.withLock { $0.take(key, cost, at: now - start) }
    }
}

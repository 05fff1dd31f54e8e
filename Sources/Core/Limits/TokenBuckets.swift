/// A ``TokenBucket`` for each key. Keys whose allowance is full again are dropped.
public struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    private let allowance: Allowance
    private var buckets: [Key: TokenBucket] = [:]

    public init(_ allowance: Allowance) { self.allowance = allowance }

    /// - Parameter now: since any fixed moment, the same for all calls.
    /// - Returns: whether enough of the allowance was left.
    public mutating func take(_ key: Key, _ cost: Double = 1, at now: Duration) -> Bool {
        if buckets.count >= TokenBuckets.capacity, buckets[key] == nil {
            for (other, var bucket) in buckets where bucket.isFull(allowance, at: now) {
                buckets[other] = nil
            }
            // If the table is still full, all entries are dropped.
            if buckets.count >= TokenBuckets.capacity { buckets = [:] }
        }
        return buckets[key, default: TokenBucket(allowance, at: now)]
            .take(cost, of: allowance, at: now)
    }

    public mutating func has(_ key: Key, _ cost: Double = 1, at now: Duration) -> Bool {
        guard var bucket = buckets[key] else { return allowance.burst >= cost }
        return bucket.has(cost, of: allowance, at: now)
    }

    /// The maximum number of keys.
    static var capacity: Int { 20_000 }
}

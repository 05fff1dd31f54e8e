/// The remainder of an ``Allowance``: it is used up by costs, and refills at the allowance's rate
/// up to its burst.
///
/// The allowance is passed to each call and not kept here, since there are many buckets for one
/// allowance. Times are durations since any fixed moment; if the clock goes back, nothing is taken
/// away.
public struct TokenBucket: Sendable {
    private var left: Double
    /// Nanoseconds: there are many buckets, and a duration takes twice the room.
    private var last: Int64

    /// Makes a full bucket.
    public init(_ allowance: Allowance, at now: Duration) {
        left = allowance.burst
        last = TokenBucket.nanoseconds(now)
    }

    /// - Returns: whether that much was left.
    public mutating func take(_ cost: Double = 1, of allowance: Allowance, at now: Duration) -> Bool
    {
        fill(allowance, at: now)
        guard left >= cost else { return false }
        left -= cost
        return true
    }

    public mutating func has(_ cost: Double, of allowance: Allowance, at now: Duration) -> Bool {
        fill(allowance, at: now)
        return left >= cost
    }

    /// Returns the remainder; negative for a debt.
    public mutating func left(of allowance: Allowance, at now: Duration) -> Double {
        fill(allowance, at: now)
        return left
    }

    /// Takes the cost whether or not that much is left, without going into debt beyond `floor`.
    ///
    /// - Parameter cost: negative to return some.
    public mutating func spend(
        _ cost: Double, downTo floor: Double, of allowance: Allowance, at now: Duration
    ) {
        fill(allowance, at: now)
        left = min(allowance.burst, max(min(left, floor), left - cost))
    }

    /// Whether the whole allowance is available again.
    public mutating func isFull(_ allowance: Allowance, at now: Duration) -> Bool {
        fill(allowance, at: now)
        return left >= allowance.burst
    }

    private mutating func fill(_ allowance: Allowance, at now: Duration) {
        let now = TokenBucket.nanoseconds(now)
        let (rest, isBeyond) = now.subtractingReportingOverflow(last)
        let nanoseconds: Int64 = isBeyond ? (now < 0 ? .min : .max) : rest
        let passed = max(0, Double(nanoseconds) / 1e9)
        left = min(allowance.burst, left + passed * allowance.perSecond)
        last = now
    }

    /// Converts to nanoseconds, clamping times more than 292 years from the fixed moment.
    private static func nanoseconds(_ time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isJustBeyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isBeyond || isJustBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}

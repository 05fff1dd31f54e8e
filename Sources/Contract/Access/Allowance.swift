/// A number allowed at once, and a number per second in the long run.
public struct Allowance: Sendable {
    public var burst: Double
    public var perSecond: Double

    public init(burst: Double, perSecond: Double) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// How much of an allowance somebody has used (a token bucket).
    public struct Use: Sendable {
        private var left: Double
        private var last: Duration

        public init(_ allowance: Allowance, at now: Duration) {
            left = allowance.burst
            last = now
        }

        /// - Returns: whether that much was left.
        public mutating func take(_ cost: Double = 1, of allowance: Allowance, at now: Duration)
            -> Bool
        {
            fill(allowance, at: now)
            guard left >= cost else { return false }
            left -= cost
            return true
        }

        public mutating func has(_ cost: Double, of allowance: Allowance, at now: Duration) -> Bool
        {
            fill(allowance, at: now)
            return left >= cost
        }

        /// What is left; negative for somebody who is in debt.
        public mutating func left(of allowance: Allowance, at now: Duration) -> Double {
            fill(allowance, at: now)
            return left
        }

        /// Takes the cost whether or not that much is left, without going into debt beyond `floor`.
        ///
        /// - Parameter cost: negative to give something back.
        public mutating func spend(
            _ cost: Double, downTo floor: Double, of allowance: Allowance, at now: Duration
        ) {
            fill(allowance, at: now)
            left = min(allowance.burst, max(min(left, floor), left - cost))
        }

        /// Whether the whole allowance is available again.
        public mutating func isUntouched(_ allowance: Allowance, at now: Duration) -> Bool {
            fill(allowance, at: now)
            return left >= allowance.burst
        }

        private mutating func fill(_ allowance: Allowance, at now: Duration) {
            left = min(allowance.burst, left + (now - last) / .seconds(1) * allowance.perSecond)
            last = now
        }
    }
}

/// Delays that double from one failure to the next (exponential backoff).
public struct Backoff: Sendable {
    private let first: Duration
    private let longest: Duration
    /// How often ``next()`` was called since the last success.
    public private(set) var failures = 0

    public init(from first: Duration, to longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Returns the delay after this failure. Where many may fail at the same moment, multiply it by
    /// a random number, so that they do not all retry at once.
    public mutating func next() -> Duration {
        defer { failures += 1 }
        return delay(after: failures)
    }

    /// To be called after a success.
    public mutating func reset() { failures = 0 }

    /// Returns the delay after that many failures.
    public func delay(after failures: Int) -> Duration {
        min(first * (1 << min(failures, Backoff.doublings)), longest)
    }

    /// Enough for every delay, and few enough for no overflow.
    private static let doublings = 30
}

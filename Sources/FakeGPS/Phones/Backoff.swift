internal import Tracking

/// How long to wait before reconnecting: doubles each time, with a random part, so that not all
/// phones come back at once.
struct Backoff {
    static let first = Duration.milliseconds(250)
    static let longest = Duration.seconds(30)

    private var failures = 0
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// - Returns: between half and all of the current delay.
    mutating func next() -> Duration {
        let delay = min(Backoff.longest, Backoff.first * (1 << min(failures, 10)))
        failures += 1
        return delay * random.next(in: 0.5...1)
    }

    /// Called when the connection is established.
    mutating func reset() { failures = 0 }
}

internal import Tracking

/// How long to wait before connecting again: twice as long each time, with a random part, so
/// that not everybody comes back at once.
struct Backoff {
    static let first = Duration.milliseconds(250)
    static let longest = Duration.seconds(30)

    private var failures = 0
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// - Returns: between a half and the whole of the delay whose turn it is.
    mutating func next() -> Duration {
        let delay = min(Backoff.longest, Backoff.first * (1 << min(failures, 10)))
        failures += 1
        return delay * random.next(in: 0.5...1)
    }

    /// The connection holds.
    mutating func reset() { failures = 0 }
}

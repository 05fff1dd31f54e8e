import Limits
import Tracking

/// Counts attempts by key, and determines the wait before the next one.
///
/// An attempt counts from its start, so parallel attempts do not bypass the limit; a success clears
/// the count. Callers do not pass on attempts made during a wait: those are not counted.
struct AttemptLimiter<Key: Hashable> {
    private struct Entry {
        var count = 0
        var last: Timestamp
        /// A counter that increases with every use of any entry.
        var use: UInt64
    }

    private let rule: AttemptRule
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    /// The number of entries evicted early.
    private(set) var forgotten = 0

    init(_ rule: AttemptRule = AttemptRule()) { self.rule = rule }

    /// Returns the time until the next attempt; nil if it may begin now.
    mutating func wait(of key: Key, at now: Timestamp) -> Duration? {
        guard var entry = entries[key] else { return nil }
        // The clock was set back, which must not prolong a wait.
        if now < entry.last {
            entry.last = now
            entries[key] = entry
        }
        let end = entry.last + rule.delay(after: entry.count)
        return end > now ? end - now : nil
    }

    mutating func begin(_ key: Key, at now: Timestamp) {
        if entries[key].map({ now >= $0.last + rule.forgottenAfter }) ?? true {
            makeRoom(at: now)
            entries[key] = Entry(last: now, use: 0)
        }
        uses += 1
        entries[key]?.count += 1
        entries[key]?.last = now
        entries[key]?.use = uses
    }

    /// Uncounts an attempt.
    mutating func takeBack(_ key: Key) {
        guard let count = entries[key]?.count else { return }
        entries[key] = count > 1 ? entries[key].map { Self.lowered($0) } : nil
    }

    mutating func forget(_ key: Key) { entries[key] = nil }

    var count: Int { entries.count }

    private static func lowered(_ entry: Entry) -> Entry {
        var entry = entry
        entry.count -= 1
        return entry
    }

    /// When full, drops expired entries, then some of the least recently used; entries that are
    /// waiting are spared unless all of them are.
    private mutating func makeRoom(at now: Timestamp) {
        guard entries.count >= rule.capacity else { return }
        entries = entries.filter { now < $0.value.last + rule.forgottenAfter }
        let excess = entries.count - (rule.capacity - max(1, rule.capacity / 10))
        guard excess > 0 else { return }
        func isWaiting(_ entry: Entry) -> Bool {
            entry.last + rule.delay(after: entry.count) > now
        }
        let line = entries.sorted { left, right in
            let (isLeft, isRight) = (isWaiting(left.value), isWaiting(right.value))
            return isLeft == isRight ? left.value.use < right.value.use : isRight
        }
        // The entries that are not waiting; if all are, one.
        let idle = line.count { !isWaiting($0.value) }
        let surplus = idle == 0 ? 1 : min(excess, idle)
        for (key, _) in line.prefix(surplus) { entries[key] = nil }
        forgotten += surplus
    }
}

/// The parameters of an ``AttemptLimiter``.
struct AttemptRule: Sendable {
    /// The number of attempts without a delay.
    var free = 5
    /// The delay after those; it doubles with each further attempt …
    var firstDelay = Duration.seconds(1)
    /// … up to this.
    var longestDelay = Duration.seconds(900)
    /// The time without another attempt after which the count is cleared.
    var forgottenAfter = Duration.seconds(3600)
    var capacity = 10_000

    /// The rule for an account, over all sources: about 1,500 guesses a day.
    static let ofAccount: AttemptRule = {
        var rule = AttemptRule()
        rule.free = 100
        rule.longestDelay = .seconds(60)
        return rule
    }()

    func delay(after count: Int) -> Duration {
        guard count >= free else { return .zero }
        return Backoff(from: firstDelay, to: longestDelay).delay(after: count - free)
    }
}

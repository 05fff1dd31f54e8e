internal import Numbers

/// A device's own reporting rhythm: its last ten intervals. Phones in power-saving modes report
/// rarely without anything being wrong.
package struct Rhythm: Hashable, Sendable {
    private static let length = 10
    /// The minimum number of intervals for a rhythm: of fewer, the last one counts.
    private static let enough = 3
    /// Reports within this time of each other count as one.
    private static let burst = Duration.seconds(1)

    /// In ``unit``s, as a ring buffer.
    package private(set) var intervals = SIMD16<UInt16>()
    package private(set) var count: UInt8 = 0
    package private(set) var next: UInt8 = 0
    package private(set) var lastReport: Timestamp?

    init() {}

    /// Restores a stored value; nil if it would point outside the ring.
    package init?(
        intervals: SIMD16<UInt16>, count: UInt8, next: UInt8, lastReport: Timestamp?
    ) {
        guard count <= Rhythm.length, next < Rhythm.length else { return nil }
        self.intervals = intervals
        self.count = count
        self.next = next
        self.lastReport = lastReport
    }

    /// Milliseconds; in this unit, intervals of almost two hours fit into two bytes.
    private static let unit: Int64 = 100

    mutating func note(reportAt now: Timestamp) {
        guard let lastReport else {
            self.lastReport = now
            return
        }
        guard now >= lastReport + Rhythm.burst else { return }
        self.lastReport = now
        let interval = now.milliseconds - lastReport.milliseconds
        intervals[Int(next)] = UInt16(clamping: (interval + Rhythm.unit - 1) / Rhythm.unit)
        next = (next + 1) % UInt8(Rhythm.length)
        count = min(count + 1, UInt8(Rhythm.length))
    }

    /// Moves a last report that is later than this back to it.
    mutating func bound(by now: Timestamp) -> Bool { lastReport.bound(by: now) }

    /// The usual time allowed without a report, or a multiple of the rhythm if that is longer.
    func patience(_ usual: Duration, _ rules: Rules) -> Duration {
        guard count >= Rhythm.enough else {
            return max(usual, min(times(rules.slowRhythmFactor, last), rules.longestPatience))
        }
        let sorted = (0..<Int(count)).map { intervals[$0] }.sorted()
        let median =
            (Double(sorted[(sorted.count - 1) / 2]) + Double(sorted[sorted.count / 2])) / 2
        let limit = max(rules.rhythmLimit, times(rules.slowRhythmFactor, median))
        return max(usual, min(times(rules.rhythmFactor, median), limit, rules.longestPatience))
    }

    /// The last interval; 0 if there is none.
    private var last: Double {
        count == 0 ? 0 : Double(intervals[(Int(next) + Rhythm.length - 1) % Rhythm.length])
    }

    private func times(_ factor: Double, _ interval: Double) -> Duration {
        .milliseconds(Int64(clamping: interval * Double(Rhythm.unit) * factor))
    }
}

internal import Numbers

/// How often a device reports by itself: its last ten intervals. Phones in power-saving modes
/// report rarely without anything being wrong.
package struct Rhythm: Hashable, Sendable {
    private static let length = 10
    /// Fewer intervals than this say nothing.
    private static let enough = 3
    /// Reports closer together than this count as one.
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
        defer { lastReport = now }
        guard let lastReport, now >= lastReport + Rhythm.burst else { return }
        let interval = now.milliseconds - lastReport.milliseconds
        intervals[Int(next)] = UInt16(clamping: (interval + Rhythm.unit - 1) / Rhythm.unit)
        next = (next + 1) % UInt8(Rhythm.length)
        count = min(count + 1, UInt8(Rhythm.length))
    }

    /// Moves a last report that is later than this back to it.
    mutating func bound(by now: Timestamp) -> Bool { lastReport.bound(by: now) }

    /// The usual time allowed without a report, or a multiple of the rhythm if that is longer.
    func patience(_ usual: Duration, _ rules: Rules) -> Duration {
        guard count >= Rhythm.enough else { return usual }
        let sorted = (0..<Int(count)).map { intervals[$0] }.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.count.isMultiple(of: 2)
            ? (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2 : Double(sorted[middle])
        let own = Duration.milliseconds(
            Int64(clamping: median * Double(Rhythm.unit) * rules.rhythmFactor))
        return max(usual, min(own, rules.rhythmLimit))
    }
}

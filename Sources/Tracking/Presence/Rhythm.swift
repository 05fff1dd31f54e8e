/// How often a device reports by itself: its last ten intervals. Phones in power-saving modes
/// report rarely without anything being wrong.
struct Rhythm: Hashable, Sendable, Codable {
    private static let length = 10
    /// With fewer intervals than this nothing is known.
    private static let enough = 3
    /// Reports closer together than this are one burst.
    private static let burst = Duration.seconds(1)

    /// In ``unit``s, in a ring.
    private var intervals = SIMD16<UInt16>()
    private var count: UInt8 = 0
    private var next: UInt8 = 0
    private(set) var lastReport: Timestamp?

    /// Milliseconds; with it, intervals of almost two hours take two bytes.
    private static let unit: Int64 = 100

    mutating func note(reportAt now: Timestamp) {
        defer { lastReport = now }
        guard let lastReport, now >= lastReport + Rhythm.burst else { return }
        let interval = now.milliseconds - lastReport.milliseconds
        intervals[Int(next)] = UInt16(clamping: (interval + Rhythm.unit - 1) / Rhythm.unit)
        next = (next + 1) % UInt8(Rhythm.length)
        count = min(count + 1, UInt8(Rhythm.length))
    }

    /// No report was later than this.
    mutating func bound(by now: Timestamp) -> Bool { lastReport.bound(by: now) }

    /// The usual time without a word, or a multiple of the rhythm where that is longer.
    func patience(_ usual: Duration, _ rules: Rules) -> Duration {
        guard count >= Rhythm.enough else { return usual }
        let sorted = (0..<Int(count)).map { intervals[$0] }.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.count.isMultiple(of: 2)
            ? (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2 : Double(sorted[middle])
        let own = Duration.milliseconds(Int64(median * Double(Rhythm.unit) * rules.rhythmFactor))
        return max(usual, min(own, rules.rhythmLimit))
    }
}

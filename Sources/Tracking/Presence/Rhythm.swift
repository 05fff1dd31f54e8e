/// How often a device reports by itself: its last ten intervals. Phones in power-saving modes
/// report rarely without anything being wrong.
struct Rhythm: Hashable, Sendable, Codable {
    private static let length = 10
    /// With fewer intervals than this nothing is known.
    private static let enough = 3
    /// Reports closer together than this are one burst.
    private static let burst = Duration.seconds(1)

    /// Milliseconds, the newest last.
    private var intervals: [Int32] = []
    private(set) var lastReport: Timestamp?

    mutating func note(reportAt now: Timestamp) {
        defer { lastReport = now }
        guard let lastReport, now >= lastReport + Rhythm.burst else { return }
        if intervals.count == Rhythm.length { intervals.removeFirst() }
        intervals.append(Int32(clamping: now.milliseconds - lastReport.milliseconds))
    }

    /// The usual time without a word, or a multiple of the rhythm where that is longer.
    func patience(_ usual: Duration, _ rules: Rules) -> Duration {
        guard intervals.count >= Rhythm.enough else { return usual }
        let sorted = intervals.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.count.isMultiple(of: 2)
            ? (Double(sorted[middle - 1]) + Double(sorted[middle])) / 2 : Double(sorted[middle])
        let own = Duration.milliseconds(Int64(median * rules.rhythmFactor))
        return max(usual, min(own, rules.rhythmLimit))
    }
}

/// Counts the values seen so far in buckets with fixed bounds, as Prometheus reads them.
struct Histogram: Sendable {
    private let bounds: [Double]
    /// One for each bound, and one for values larger than all bounds.
    private var counts: [Int64]
    private var sum = 0.0

    /// - Parameter bounds: the largest value of each bucket, in ascending order.
    init(bounds: [Double]) {
        self.bounds = bounds
        counts = [Int64](repeating: 0, count: bounds.count + 1)
    }

    /// A histogram from a millisecond to ten seconds.
    static var seconds: Histogram {
        Histogram(
            bounds: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10])
    }

    mutating func note(_ value: Double, times: Int = 1) {
        var bucket = 0
        while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
        counts[bucket] += Int64(times)
        sum += value * Double(times)
    }

    /// Records the duration in seconds.
    mutating func note(_ duration: Duration, times: Int = 1) {
        note(max(0, duration / .seconds(1)), times: times)
    }

    /// Returns `{name}-le-{bound}`, each counting all values that are not larger, `{name}-count`
    /// and `{name}-sum`.
    func metrics(_ name: String) -> [(name: String, value: String)] {
        var total: Int64 = 0
        var metrics: [(name: String, value: String)] = []
        for (bucket, count) in counts.enumerated() {
            total += count
            let bound = bucket < bounds.count ? Histogram.text(bounds[bucket]) : "inf"
            metrics.append(("\(name)-le-\(bound)", "\(total)"))
        }
        metrics.append(("\(name)-count", "\(total)"))
        metrics.append(("\(name)-sum", Histogram.text(sum)))
        return metrics
    }

    /// Formats whole numbers without a decimal point.
    private static func text(_ number: Double) -> String {
        Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }
}

/// One person's contribution to the answer about one window: for each quantity one value, the mean
/// of the person's own clamped values, and for each hour of the day one cell.
///
/// So one person changes a bounded number of counts, by one each, however much a device sends
/// (bounded user contribution: Wilson et al., "Differentially Private SQL with Bounded User
/// Contribution", PETS 2020).
public struct Contribution: Sendable {
    private var sums = [Double](repeating: 0, count: Quantity.allCases.count)
    private var counts = [Int](repeating: 0, count: Quantity.allCases.count)
    private var cells = [Int64?](repeating: nil, count: Presence.hours)

    public init() {}

    public var isEmpty: Bool {
        counts.allSatisfy { $0 == 0 } && cells.allSatisfy { $0 == nil }
    }

    /// Adds a value in the quantity's unit; a distance once for each day. Non-finite values are
    /// ignored.
    public mutating func add(_ value: Double, of quantity: Quantity) {
        guard value.isFinite else { return }
        sums[quantity.rawValue] += quantity.bands.clamp(value)
        counts[quantity.rawValue] += 1
    }

    /// Adds a day's reports in a window.
    ///
    /// - Parameters:
    ///   - day: the number of a day since the epoch; each is added once.
    ///   - window: hours since the epoch.
    public mutating func add(_ summary: DaySummary, of day: Int, in window: Range<Int>) {
        let start = day * DaySummary.hours
        let hours = window.clamped(to: start..<start + DaySummary.hours)
        summary.add(hours.lowerBound - start..<hours.upperBound - start, to: &self)
    }

    /// Adds a cell in which the person was. The first cell in an hour of the day counts.
    public mutating func add(_ presence: Presence) {
        if cells[presence.hour] == nil { cells[presence.hour] = presence.cell }
    }

    /// The band of the person's mean, or nil without a value.
    func band(of quantity: Quantity) -> Int? {
        let count = counts[quantity.rawValue]
        return count == 0
            ? nil : quantity.bands.index(of: sums[quantity.rawValue] / Double(count))
    }

    var presences: [Presence] {
        cells.enumerated().compactMap { hour, cell in
            cell.map { Presence(hour: hour, cell: $0) }
        }
    }
}

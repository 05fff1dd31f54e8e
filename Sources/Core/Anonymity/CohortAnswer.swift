/// The numbers that a requester receives, with noise. Any of them may be negative.
public struct CohortAnswer: Hashable, Sendable {
    /// How many people contributed.
    public let people: Int
    /// Quantities with too few contributors, or that would reveal too much, are missing.
    public let histograms: [Quantity: NoisyHistogram]
    /// The number of people in a cell at an hour of the day; missing if too small or too revealing.
    public let presence: [Presence: Int]

    public init(
        people: Int, histograms: [Quantity: NoisyHistogram], presence: [Presence: Int]
    ) {
        (self.people, self.histograms, self.presence) = (people, histograms, presence)
    }
}

/// The number of people in each band, by their own mean, with noise. Everything else is computed
/// from these numbers, so it reveals nothing more.
public struct NoisyHistogram: Hashable, Sendable {
    public let bands: Bands
    /// One number for each band.
    public let counts: [Int]

    public init(_ bands: Bands, counts: [Int]) {
        precondition(counts.count == bands.count, "each band has a number")
        (self.bands, self.counts) = (bands, counts)
    }

    /// In the quantity's unit; nil if the noise leaves no people.
    public var mean: Double? {
        let people = counts.reduce(0, +)
        guard people > 0 else { return nil }
        let sum = counts.enumerated().reduce(0) { sum, band in
            sum + (bands.lowerBound(ofBand: band.offset) + bands.width / 2) * Double(band.element)
        }
        return bands.clamp(sum / Double(people))
    }

    /// Returns the value below which this percentage of people is, as if they were spread evenly
    /// over their band; nil if the noise leaves no people.
    public func percentile(_ percent: Int) -> Double? {
        precondition((1...99).contains(percent), "extremes are nobody's business")
        let people = counts.map { max($0, 0) }
        let all = people.reduce(0, +)
        guard all > 0 else { return nil }
        var left = Double(all * percent) / 100
        for (index, here) in people.enumerated() where here > 0 {
            if left <= Double(here) {
                return bands.lowerBound(ofBand: index) + bands.width * left / Double(here)
            }
            left -= Double(here)
        }
        return bands.upperBound
    }
}

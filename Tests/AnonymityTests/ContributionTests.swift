import Testing
import Tracking

@testable import Anonymity

@Suite struct ContributionTests {
    @Test("A person counts in one band of a quantity, however much a device sends")
    func oneBand() throws {
        var tally = CohortTally(of: CohortQuestion(try CohortFilter(), in: 0..<24))
        for number in 0..<3 {
            var contribution = Contribution()
            for value in 0..<1000 { contribution.add(60 + Double(value % 20), of: .heartRate) }
            for cell in 0..<9 { contribution.add(Presence(hour: 7, cell: Int64(cell))) }
            tally.add(contribution, of: number)
        }
        let parts = tally.parts(k: 3)
        #expect(
            parts.map(\.part) == [.quantity(.heartRate), .presence(Presence(hour: 7, cell: 0))])
        #expect(parts[0].counts.reduce(0, +) == 3)
        #expect(parts[0].counts[Quantity.heartRate.bands.index(of: 69.5)] == 3)
        #expect(parts[1].counts == [3])
    }

    @Test("An outlier shifts its sender's mean by at most the width of the bands")
    func clamped() {
        var contribution = Contribution()
        contribution.add(1e300, of: .bodyTemperature)
        contribution.add(36, of: .bodyTemperature)
        contribution.add(.nan, of: .bodyTemperature)
        contribution.add(.infinity, of: .bodyTemperature)
        #expect(
            contribution.band(of: .bodyTemperature)
                == Quantity.bodyTemperature.bands.index(of: (42 + 36) / 2))
        #expect(contribution.band(of: .heartRate) == nil)
    }

    @Test("Every value has a band", arguments: Quantity.allCases)
    func bands(quantity: Quantity) {
        let bands = quantity.bands
        #expect(bands.index(of: bands.lowerBound) == 0)
        #expect(bands.index(of: -1e300) == 0)
        #expect(bands.index(of: bands.upperBound) == bands.count - 1)
        #expect(bands.index(of: 1e300) == bands.count - 1)
        for index in 0..<bands.count {
            #expect(bands.index(of: bands.lowerBound(ofBand: index)) == index)
        }
    }

    @Test("A person without data is not counted")
    func empty() throws {
        var tally = CohortTally(of: CohortQuestion(try CohortFilter(), in: 0..<24))
        tally.add(Contribution(), of: 0)
        #expect(tally.people.isEmpty)
    }

    @Test("Mean and percentiles come from the noisy counts")
    func statistics() {
        let bands = Bands(from: 0, width: 10, count: 4)
        let histogram = NoisyHistogram(bands, counts: [10, 20, 10, 0])
        #expect(histogram.mean == 15)
        #expect(histogram.percentile(50) == 15)
        #expect(histogram.percentile(25) == 10)
        #expect(histogram.percentile(75) == 20)
        #expect(NoisyHistogram(bands, counts: [-3, 1, 1, 1]).mean == nil)
        #expect(NoisyHistogram(bands, counts: [-3, -1, 0, 0]).percentile(50) == nil)
        #expect(NoisyHistogram(bands, counts: [-9, 0, 0, 10]).mean == 40)
        #expect(NoisyHistogram(bands, counts: [-5, 0, 0, 10]).percentile(50) == 35)
    }

    @Test("A contributor set behaves like a set of numbers")
    func sets() {
        var chance = SplitMix64(seed: 7)
        for _ in 0..<200 {
            let one = Set((0..<20).map { _ in Int.random(in: 0..<200, using: &chance) })
            let other = Set((0..<20).map { _ in Int.random(in: 0..<150, using: &chance) })
            let (left, right) = (set(one), set(other))
            #expect(left.union(right) == set(one.union(other)))
            #expect(left.intersection(right) == set(one.intersection(other)))
            #expect(left.subtracting(right) == set(one.subtracting(other)))
            #expect(left.count == one.count)
            #expect((0..<300).filter(left.contains) == one.sorted())
            #expect(ContributorSet(words: left.words + [0, 0]) == left)
        }
    }

    private func set(_ numbers: Set<Int>) -> ContributorSet {
        var set = ContributorSet()
        for number in numbers { set.insert(number) }
        return set
    }
}

import Testing
import Tracking

@testable import Anonymity

@Suite struct SizeTests {
    @Test("A month of five thousand people is counted per person with k at its minimum")
    func month() throws {
        var chance = SplitMix64(seed: 5)
        var tally = CohortTally(of: CohortQuestion(try CohortFilter(), in: 0..<(31 * 24)))
        for number in 0..<5000 {
            var contribution = Contribution()
            for _ in 0..<31 {
                for quantity in Quantity.allCases {
                    let bands = quantity.bands
                    contribution.add(
                        Double.random(in: bands.lowerBound..<bands.upperBound, using: &chance),
                        of: quantity)
                }
            }
            for hour in 0..<24 {
                contribution.add(
                    Presence(hour: hour, cell: Int64.random(in: 0..<4, using: &chance)))
            }
            tally.add(contribution, of: number)
        }
        let policy = CohortPolicy(
            k: 1000, cost: .of(2), requesterBudget: .of(2), dataBudget: .of(2))
        let answer = try #require(
            CohortHistory().decide(tally, by: "one", under: policy, using: &chance).answer)
        #expect(answer.histograms.count == Quantity.allCases.count)
        #expect(answer.presence.count > 24 * 2)
        for (quantity, histogram) in answer.histograms {
            let middle = (quantity.bands.lowerBound + quantity.bands.upperBound) / 2
            let mean = try #require(histogram.mean)
            #expect(abs(mean - middle) < quantity.bands.width)
        }
    }
}

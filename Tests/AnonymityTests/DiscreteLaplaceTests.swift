import RealModule
import Testing
import Tracking

@testable import Anonymity

@Suite struct DiscreteLaplaceTests {
    /// With scale t, the probability of x is (1 - q) / (1 + q) · q^|x| with q = exp(-1/t).
    @Test(
        "The noise follows the discrete Laplace distribution",
        arguments: [(1, 1), (5, 2), (12, 1), (7, 3), (2, 5)])
    func distribution(numerator: Int, denominator: Int) {
        var chance = SplitMix64(seed: 20_261_123)
        let noise = DiscreteLaplace(scale: numerator, over: denominator)
        let count = 200_000
        let ratio = Double.exp(-Double(denominator) / Double(numerator))
        func expected(_ value: Int) -> Double {
            Double(count) * (1 - ratio) / (1 + ratio) * Double.pow(ratio, abs(value))
        }
        let samples = (0..<count).map { _ in noise.sample(using: &chance) }

        // Pearson's test, over the values that are expected often enough, and all others as one.
        let reach = (0...).first { expected($0 + 1) < 50 } ?? 0
        var seen: [Int: Int] = [:]
        for sample in samples { seen[sample, default: 0] += 1 }
        var statistic = 0.0
        var (restSeen, restExpected) = (Double(count), Double(count))
        for value in -reach...reach {
            let (here, wanted) = (Double(seen[value] ?? 0), expected(value))
            statistic += (here - wanted) * (here - wanted) / wanted
            restSeen -= here
            restExpected -= wanted
        }
        if restExpected > 0 {
            let difference = restSeen - restExpected
            statistic += difference * difference / restExpected
        }
        // The statistic has mean `freedom` and variance 2 · freedom; 4 deviations are once in 10⁴.
        let freedom = Double(2 * reach + 1)
        #expect(statistic < freedom + 4 * (2 * freedom).squareRoot() + 8)

        let variance = 2 * ratio / ((1 - ratio) * (1 - ratio))
        let mean = Double(samples.reduce(0, +)) / Double(count)
        let square = Double(samples.reduce(0) { $0 + $1 * $1 }) / Double(count)
        #expect(abs(mean) < 5 * (variance / Double(count)).squareRoot())
        #expect(abs(square / variance - 1) < 0.03)
    }

    @Test("The same seed gives the same noise")
    func seed() {
        func samples(_ seed: UInt64) -> [Int] {
            var chance = SplitMix64(seed: seed)
            let noise = DiscreteLaplace(scale: 12)
            return (0..<20).map { _ in noise.sample(using: &chance) }
        }
        #expect(samples(3) == samples(3))
        #expect(samples(3) != samples(4))
    }

    @Test("Noise grows with the number of changes possible behind a value")
    func scales() throws {
        let day = CohortQuestion(try CohortFilter(), in: 0..<24)
        let hour = CohortQuestion(try CohortFilter(), in: 0..<1)
        let presence = Part.presence(Presence(hour: 0, cell: 1))
        #expect(
            Part.people.noise(for: day, costing: .of(2))
                == DiscreteLaplace(scale: 12000, over: 2000))
        #expect(
            presence.noise(for: day, costing: .of(2)) == DiscreteLaplace(scale: 288_000, over: 8000)
        )
        #expect(
            presence.noise(for: hour, costing: .of(2)) == DiscreteLaplace(scale: 12000, over: 8000))
    }
}

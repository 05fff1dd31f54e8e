import Testing

@testable import Simulation

/// A simulator that finds nothing may be blind: bugs built in on purpose must be found.
struct CanaryTests {
    /// The seeds that are tried at most.
    private static let seeds: ClosedRange<UInt64> = 1...150

    /// The first failure that one of its oracles has found; others may come before.
    private func firstFailure(_ canary: Canary) throws -> (seed: UInt64, description: String)? {
        for seed in CanaryTests.seeds {
            let report = try Simulation(
                seed: seed, steps: 300, canary: canary, isHostile: canary.isHostile
            ).run()
            if let failure = report.failure?.description,
                canary.oracles.contains(where: { failure.hasPrefix("\($0): ") })
            {
                return (seed, failure)
            }
        }
        return nil
    }

    @Test(arguments: Canary.all)
    func `It is found`(_ canary: Canary) throws {
        let failure = try #require(try firstFailure(canary))
        print("\(canary) was found with seed \(failure.seed): \(failure.description)")
    }

    @Test(arguments: simulatedAreas.map { "\($0)" })
    func `Something is built in that an area's life must bring to light`(_ name: String) {
        let area = simulatedAreas.first { "\($0)" == name }
        #expect(
            area?.canaries.isEmpty == false,
            "\(name) would not notice anything: give it a canary in its folder.")
    }
}

import Testing

@testable import Simulation

/// A simulator that finds nothing may be blind: planted bugs must be found.
struct CanaryTests {
    /// The seeds that are tried at most.
    private static let seeds: ClosedRange<UInt64> = 1...150
    /// Seeds that are tried first, for bugs that few lives expose: a search takes long.
    private static let known: [String: UInt64] = [
        "forgetIncident": 67, "hideUnsharing": 12, "keepObservers": 9,
        "forgetRefusal": 9, "forgetMonitors": 6, "trustConfirmation": 5, "pileUp": 4,
        "forgetAlerts": 3, "forgetShareLink": 3, "forgetViewers": 3, "trustRetained": 3,
    ]

    /// The first failure that one of its oracles has found; others may come before.
    private func firstFailure(_ canary: Canary) throws -> (seed: UInt64, description: String)? {
        for seed in [CanaryTests.known["\(canary)"]].compactMap({ $0 }) + CanaryTests.seeds {
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
    func `Each planted bug is detected`(_ canary: Canary) throws {
        let failure = try #require(try firstFailure(canary))
        print("\(canary) was found with seed \(failure.seed): \(failure.description)")
    }

    @Test(arguments: simulatedAreas.map { "\($0)" })
    func `Each area has a planted bug`(_ name: String) {
        let area = simulatedAreas.first { "\($0)" == name }
        #expect(
            area?.canaries.isEmpty == false,
            "\(name) would not notice anything: give it a canary in its folder.")
    }
}

import Foundation
import Testing

@testable import Simulation

struct SimulationTests {
    /// `KITH_SEEDS=500 swift test --filter SimulationTests` searches further.
    static let count =
        ProcessInfo.processInfo.environment["KITH_SEEDS"].flatMap { UInt64($0) } ?? 6

    /// This many seeds that no test has used before; a failure names its seed.
    private static func fresh(_ count: UInt64) -> [UInt64] {
        let start = UInt64.random(in: 1_000_000...1_000_000_000)
        return Array(start..<start + count)
    }

    private func check(_ seed: UInt64, steps: Int = 250, isHostile: Bool = false) throws {
        var simulation = Simulation(seed: seed, steps: steps)
        simulation.isHostile = isHostile
        let report = try simulation.run()
        guard let (step, description) = report.failure else { return }
        Issue.record(
            """
            Seed \(seed), step \(step): \(description)
            kith-dev simulate --seed \(seed) --steps \(steps)\(isHostile ? " --hostile" : "")
            \(report.trace.joined(separator: "\n"))
            """)
    }

    @Test(arguments: 1...SimulationTests.count)
    func `The service loses and invents nothing, whatever goes wrong`(_ seed: UInt64) throws {
        try check(seed)
    }

    @Test(arguments: SimulationTests.fresh(SimulationTests.count))
    func `The service loses and invents nothing in fresh lives`(_ seed: UInt64) throws {
        try check(seed)
    }

    /// They take longer: an adversary sends a lot.
    @Test(
        arguments: SimulationTests.fresh(1) + Array(1...max(2, SimulationTests.count / 3)))
    func `A hostile party blocks no one else`(_ seed: UInt64) throws {
        try check(seed, steps: 120, isHostile: true)
    }

    /// Lives that would expose a fixed bug; `docs/simulation.md` describes it. A change to what
    /// people do makes other lives of the seeds: put the bug back and look for others.
    @Test(arguments: [2, 13, 20, 54, 70, 107, 129, 268, 20_261_328_290] as [UInt64])
    func `Fixed bugs do not recur`(_ seed: UInt64) throws {
        try check(seed, steps: 300)
    }

    @Test func `The same seed yields the same life`() throws {
        let first = try Simulation(seed: 1, steps: 60).run()
        let second = try Simulation(seed: 1, steps: 60).run()
        #expect(first.digest == second.digest)
        #expect(first.events == second.events)
        #expect(try Simulation(seed: 2, steps: 60).run().digest != first.digest)
    }
}

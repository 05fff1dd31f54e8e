import Foundation
import Testing

@testable import Simulation

struct SimulationTests {
    /// `KITH_SEEDS=500 swift test --filter SimulationTests` looks further.
    static let count =
        ProcessInfo.processInfo.environment["KITH_SEEDS"].flatMap { UInt64($0) } ?? 6

    /// So many seeds that no test had before; a failure says which.
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
            kith simulate --seed \(seed) --steps \(steps)\(isHostile ? " --hostile" : "")
            \(report.trace.joined(separator: "\n"))
            """)
    }

    @Test(arguments: 1...SimulationTests.count)
    func `Whatever goes wrong, nothing is lost and nothing is invented`(_ seed: UInt64) throws {
        try check(seed)
    }

    @Test(arguments: SimulationTests.fresh(SimulationTests.count))
    func `Nor in lives that nobody has seen`(_ seed: UInt64) throws { try check(seed) }

    /// They take longer: an adversary has a lot to say.
    @Test(
        arguments: SimulationTests.fresh(1) + Array(1...max(2, SimulationTests.count / 3)))
    func `Whatever one party sends, everybody else gets through`(_ seed: UInt64) throws {
        try check(seed, steps: 120, isHostile: true)
    }

    /// Lives in which what was wrong once would show; `docs/simulation.md` says what it was. A change
    /// to what people do makes other lives of the seeds: put the bug back and look for others.
    @Test(arguments: [2, 13, 20, 54, 70, 107, 129, 268] as [UInt64])
    func `What was found once stays mended`(_ seed: UInt64) throws {
        try check(seed, steps: 300)
    }

    @Test func `The same seed is the same life`() throws {
        let first = try Simulation(seed: 1, steps: 60).run()
        let second = try Simulation(seed: 1, steps: 60).run()
        #expect(first.digest == second.digest)
        #expect(first.events == second.events)
        #expect(try Simulation(seed: 2, steps: 60).run().digest != first.digest)
    }
}

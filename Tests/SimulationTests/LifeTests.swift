import Contract
import Foundation
import Testing

@testable import Simulation

/// Whatever the service can do, the simulated people do.
struct LifeTests {
    /// Enough for everything to be asked for that people ask for at all.
    private static let seeds: ClosedRange<UInt64> = 1...80

    @Test func `Every method is asked for by somebody`() throws {
        var missing = Set(
            Method.all.filter { !$0.askers.isDisjoint(with: [.user, .guest]) }.map(\.name))
        for seed in LifeTests.seeds where !missing.isEmpty {
            missing.subtract(try Simulation(seed: seed, steps: 250).run().asked)
        }
        for method in missing.sorted() {
            Issue.record(
                """
                Nobody in the simulator asks for `\(method)`: give it a life in \
                Sources/Areas/<Area>/Simulation.
                """)
        }
    }

    @Test func `Every area has a life`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let areas = try FileManager.default.contentsOfDirectory(
            at: sources.appending(path: "Areas"), includingPropertiesForKeys: nil
        ).map(\.lastPathComponent)
        #expect(!areas.isEmpty)
        let lives = Set(simulatedAreas.map { "\($0)" })
        for area in areas.sorted() where !lives.contains("Simulated\(area)") {
            Issue.record(
                """
                Nobody in the simulator lives in \(area): write `Simulated\(area)` in \
                Sources/Areas/\(area)/Simulation, and add it to `simulatedAreas`.
                """)
        }
    }

    @Test func `Nobody asks for what does not exist, but for one attempt`() {
        let asked = Life().asks.map(\.method) + Life().adversaryAsks.map(\.method)
        let unknown = asked.filter { Method.named($0) == nil }
        #expect(unknown == ["no.such"])
    }
}

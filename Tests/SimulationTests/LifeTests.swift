import Contract
import Foundation
import Testing

@testable import Simulation

/// The simulated people use everything that the service can do.
struct LifeTests {
    /// Enough for every request that people ever make.
    private static let seeds: ClosedRange<UInt64> = 1...80
    /// Lives that contain all requests between them, as long as no life changes: they are tried
    /// first.
    private static let known: [UInt64] = [39, 18, 15, 2, 16, 21, 31, 36]

    @Test func `Every user and guest method is requested`() throws {
        var missing = Set(
            Method.all.filter { !$0.askers.isDisjoint(with: [.user, .guest]) }.map(\.name))
        for seed in LifeTests.known + LifeTests.seeds where !missing.isEmpty {
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

    @Test func `Lives request no unknown method but one`() {
        let asked = Life().asks.map(\.method) + Life().adversaryAsks.map(\.method)
        let unknown = asked.filter { Method.named($0) == nil }
        #expect(unknown == ["no.such"])
    }
}

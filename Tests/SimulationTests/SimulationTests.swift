import Foundation
import Testing

@testable import Simulation

struct SimulationTests {
    /// `KITH_SEEDS=500 swift test --filter SimulationTests` looks further.
    static let count =
        ProcessInfo.processInfo.environment["KITH_SEEDS"].flatMap { UInt64($0) } ?? 6

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

    @Test func `Whatever goes wrong, nothing is lost and nothing is invented`() throws {
        for seed in 1...SimulationTests.count { try check(seed) }
    }

    @Test func `Nor in lives that nobody has seen`() throws {
        let start = UInt64.random(in: 1_000_000...1_000_000_000)
        print("Fresh seeds from \(start) on.")
        for seed in start..<start + SimulationTests.count { try check(seed) }
    }

    /// They take longer: an adversary has a lot to say.
    @Test func `Whatever one party sends, everybody else gets through`() throws {
        let start = UInt64.random(in: 1_000_000...1_000_000_000)
        print("A fresh seed: \(start).")
        for seed in [start] + Array(1...max(2, SimulationTests.count / 3)) {
            try check(seed, steps: 120, isHostile: true)
        }
    }

    /// What was wrong once: `docs/simulation.md` says what it was.
    @Test(arguments: [8, 10, 51, 57, 1334, 1833, 70_000_071, 469_502_057] as [UInt64])
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

    @Test func `A life leaves no files behind`() throws {
        let before = try TemporaryDatabase.count()
        _ = try Simulation(seed: 3, steps: 20).run()
        #expect(try TemporaryDatabase.count() == before)
    }

    /// In another process, where what is hashed lies in another order.
    @Test func `A seed is the same life everywhere`() throws {
        // The build puts `kith` beside this test bundle.
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: "kith")
        func output() throws -> String {
            let process = Process()
            let pipe = Pipe()
            process.executableURL = program
            process.arguments = ["simulate", "--seed", "7", "--steps", "120"]
            process.standardOutput = pipe
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
        let report = try Simulation(seed: 7, steps: 120).run()
        let digest = String(report.digest, radix: 16)
        for _ in 1...2 { #expect(try output().contains("digest \(digest).")) }
    }
}

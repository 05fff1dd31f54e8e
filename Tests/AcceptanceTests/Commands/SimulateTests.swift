import Foundation
import Simulation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SimulateTests {
    /// Run in several processes, because hashed collections have another order in each.
    @Test func `A seed yields the same life everywhere`() async throws {
        let report = try Simulation(seed: 7, steps: 120).run()
        let digest = String(report.digest, radix: 16)
        for _ in 1...2 {
            let output = try await Program.succeed(
                Program.dev, ["simulate", "--seed", "7", "--steps", "120"])
            #expect(output.contains("digest \(digest)."))
        }
    }

    @Test func `A life leaves no files behind`() async throws {
        let places = ["/dev/shm", FileManager.default.temporaryDirectory.path]
        // One that was killed may have had the same number.
        let before = Set(try places.flatMap(FileManager.default.contentsOfDirectory(atPath:)))
        let output = try await Program.succeed(
            "sh", ["-c", #"echo $$; exec "$0" simulate --seed 3 --steps 20"#, Program.dev])
        let process = try #require(output.split(separator: "\n").first.flatMap { Int($0) })
        let names = try places.flatMap(FileManager.default.contentsOfDirectory(atPath:))
        let left = Set(names).subtracting(before)
        #expect(!left.contains { $0.hasPrefix("kith-simulation-\(process)-") })
    }
}

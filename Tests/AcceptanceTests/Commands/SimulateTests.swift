import Foundation
import Glibc
import Simulation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct SimulateTests {
    /// Run in several processes, because hashed collections have another order in each.
    @Test func `A seed is the same life everywhere`() async throws {
        let report = try Simulation(seed: 7, steps: 120).run()
        let digest = String(report.digest, radix: 16)
        for _ in 1...2 {
            let output = try await Program.succeed(
                Program.kith, ["simulate", "--seed", "7", "--steps", "120"])
            #expect(output.contains("digest \(digest)."))
        }
    }

    @Test func `A life leaves no files behind`() async throws {
        let before = try leftovers()
        try await Program.succeed(Program.kith, ["simulate", "--seed", "3", "--steps", "20"])
        #expect(try leftovers().subtracting(before).isEmpty)
    }

    /// Directories of simulations whose process no longer exists.
    private func leftovers() throws -> Set<String> {
        let places = ["/dev/shm", FileManager.default.temporaryDirectory.path]
        let names = try places.flatMap(FileManager.default.contentsOfDirectory(atPath:))
        return Set(names).filter { name in
            guard let number = name.wholeMatch(of: /kith-simulation-([0-9]+)-.*/)?.1,
                let process = pid_t(number)
            else { return false }
            return kill(process, 0) != 0
        }
    }
}

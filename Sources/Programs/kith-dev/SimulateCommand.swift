import ArgumentParser
import Simulation

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract:
            "Simulate the whole system with faults, and check that nothing is lost or made up.",
        discussion: """
            Phones, a broker with the gate, a bridge and its database run in one thread, with \
            crashes, lost connections, failing disks and wrong clocks. The seed decides \
            everything: the same seed gives the same run. See docs/simulation.md.
            """)

    @Option(help: "The seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(help: "How many steps to simulate with each seed.")
    var steps = 300

    @Option(help: "How many seeds to try, one after the other.")
    var seeds: UInt64 = 1

    @Flag(help: "Add a client that sends whatever a connection accepts.")
    var hostile = false

    @Flag(help: "Print everything that happens.")
    var verbose = false

    func validate() throws {
        guard steps > 0, seeds > 0 else { throw ValidationError("The numbers must be positive.") }
    }

    func run() throws {
        for seed in seed..<seed + seeds {
            var simulation = Simulation(seed: seed, steps: steps)
            simulation.isHostile = hostile
            let report = try simulation.run(echo: verbose ? { print($0) } : nil)
            if let (step, description) = report.failure {
                for line in report.trace { print(line) }
                print("Seed \(seed), step \(step): \(description)")
                throw ExitCode.failure
            }
            guard seeds == 1 || seed % 100 == 0 else { continue }
            let digest = String(report.digest, radix: 16)
            print("Seed \(seed): no fault found in \(report.events) events, digest \(digest).")
        }
    }
}

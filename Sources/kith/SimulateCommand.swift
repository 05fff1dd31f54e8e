import ArgumentParser
import Simulation

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Let everything go wrong that can, and see that nothing is lost or invented.",
        discussion: """
            People with phones, a broker with its gate, a bridge and its database live in one \
            thread, with crashes, lost connections, failing disks and wrong clocks between them. \
            One seed decides everything: the same seed is the same life. docs/simulation.md.
            """)

    @Option(help: "Where chance begins.")
    var seed: UInt64 = 1

    @Option(help: "How much happens.")
    var steps = 300

    @Option(help: "How many seeds to try, one after the other.")
    var seeds: UInt64 = 1

    @Flag(help: "Let somebody send whatever a connection takes.")
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
                throw Complaint("The simulation found something wrong.")
            }
            guard seeds == 1 || seed % 100 == 0 else { continue }
            let digest = String(report.digest, radix: 16)
            print("Seed \(seed): nothing wrong in \(report.events) events, digest \(digest).")
        }
    }
}

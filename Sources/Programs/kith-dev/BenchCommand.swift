public import ArgumentParser
public import Bench
import Glibc
import LocalBroker

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Run a benchmark (fixes, if none is named).",
        subcommands: [
            BenchFixes.self, BenchNeighbours.self, BenchTracks.self,
        ],
        defaultSubcommand: BenchFixes.self)
}

/// The options common to all measurements that need a broker.
struct BenchOptions: ParsableArguments {
    @Option(help: "The template of the broker's configuration. Default: the one in broker-config/.")
    var brokerConfig: String?

    func tools() throws -> BenchTools {
        guard let kith = InstalledFile.find("bin/kith", beside: "kith") else {
            throw ValidationError("Cannot find kith beside kith-dev: build that product too.")
        }
        return BenchTools(
            kith: kith, brokerTemplate: try brokerConfig ?? BrokerTemplate.find(),
            gate: try GateLibrary.find())
    }

    /// Writes each line immediately, even if the output is a file.
    @Sendable static func tell(_ line: String) {
        print(line)
        fflush(nil)
    }
}

/// Runs one part of the measurement in its own process.
struct BenchPart: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-part", abstract: "Run one part of the measurement.",
        shouldDisplay: false)

    @Argument var part: Part
    @Option var port: UInt16

    func run() throws { try BaselineProcess(part, port: port).run() }
}

extension Part: ExpressibleByArgument {}

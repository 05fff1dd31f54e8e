import ArgumentParser
import MQTT

/// Programs for the developers of Kith: they are built with it and not installed.
@main
struct KithDev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kith-dev", abstract: "Simulate and measure Kith, and print its tables.",
        subcommands: [
            SimulateCommand.self, BenchCommand.self, BenchPart.self, ContractTables.self,
        ])

    static func main() async {
        raiseFileLimit()
        await main(nil)
    }
}

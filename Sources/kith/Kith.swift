import ArgumentParser
import Bridge

@main
struct Kith: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kith",
        abstract: "Location safety on your own MQTT broker.",
        version: kithVersion,
        subcommands: [
            Up.self, Serve.self, CheckConfig.self, UserCommand.self, GroupCommand.self,
            BenchCommand.self, BenchPart.self,
        ])
}

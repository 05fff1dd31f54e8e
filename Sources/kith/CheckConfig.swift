import ArgumentParser
import Bridge
import Contract

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration and say all that is wrong with it.")

    @OptionGroup var options: DataOptions

    func run() async throws {
        let settings = try await options.allSettings().bridge
        print("The configuration is valid.")
        for kind in ChannelKind.allCases {
            if let reason = settings.channels.reason(against: kind) { print(reason) }
        }
    }
}

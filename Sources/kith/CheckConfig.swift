import ArgumentParser
import Bridge
import Contract
import OperatorTools
import Web

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration and say all that is wrong with it.")

    @OptionGroup var options: DataOptions

    func run() async throws {
        var (settings, web) = try await options.allSettings()
        print("The configuration is valid.")
        let bridge = Condition.Bridge(on: options.databasePath)
        web.follow(bridge, data: options.data)
        settings.channels.page = web.server.origin
        for kind in ChannelKind.allCases {
            guard let reason = settings.channels.reason(against: kind) else { continue }
            // Nobody knows with which options it will be started.
            let isOpen = kind == .push && bridge == nil
            print(isOpen ? "\(reason) With --for-phones that is done." : reason)
        }
    }
}

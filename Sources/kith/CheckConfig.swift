import ArgumentParser
import Bridge

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration and say what is wrong with it.")

    @OptionGroup var options: DataOptions

    func run() async throws {
        _ = try await options.settings()
        _ = try await options.webSettings()
        print("The configuration is valid.")
    }
}

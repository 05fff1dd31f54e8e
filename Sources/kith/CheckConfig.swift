import ArgumentParser
import Bridge

struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Say whether the configuration can be used, and what is wrong with it.")

    @OptionGroup var options: DataOptions

    func run() async throws {
        _ = try await options.settings()
        _ = try await options.webSettings()
        print("The configuration can be used.")
    }
}

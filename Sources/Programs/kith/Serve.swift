import ArgumentParser

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the bridge with a broker that is already running.",
        discussion: """
            The broker's address is broker.host and broker.port in the configuration. The broker \
            must be configured not to drop any messages: see broker-config/. SIGHUP reloads \
            settings that can change at runtime (docs/installing.md), except in a terminal, where \
            it means that the terminal was closed.
            """)

    @OptionGroup var options: DataOptions

    func run() async throws {
        try await BridgeProgram(options: options, settings: try await options.settings()).run()
    }
}

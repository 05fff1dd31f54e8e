import ArgumentParser
import Bridge
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the bridge with a broker that is already running.",
        discussion: """
            The broker's address is broker.host and broker.port in the configuration. The broker \
            must be configured not to drop any messages: see broker-config/.
            """)

    @OptionGroup var options: DataOptions

    func run() async throws {
        var settings = try await options.settings()
        settings.describePlace = CityFiles.describePlace()
        try options.makeDirectory()
        let logger = options.logger("kith")
        let bridge = Bridge(databasePath: options.databasePath, settings, logger: logger)
        HangUp.ignoreIfNoEnd()
        let group = ServiceGroup(
            services: [bridge],
            gracefulShutdownSignals: [.sigterm, .sigint] + (HangUp.isEnd ? [.sighup] : []),
            logger: logger)
        try await group.run()
        Bridge.leaveOneFile(options.databasePath)
    }
}

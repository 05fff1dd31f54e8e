import ArgumentParser
import Bridge
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Run the bridge with a broker that is already running.",
        discussion: """
            The broker's address is broker.host and broker.port in the configuration. The broker \
            must be configured not to drop any messages: see broker-config/. SIGHUP takes over settings \
            that can change meanwhile (docs/installing.md), unless there is a terminal, which then is \
            gone.
            """)

    @OptionGroup var options: DataOptions

    func run() async throws {
        var settings = try await options.settings()
        settings.describePlace = CityFiles.describePlace()
        let logger = try await options.logger("kith")
        try options.makeDirectory(logger)
        let pulse = Pulse("the broker")
        let bridge = Bridge(databasePath: options.databasePath, settings, logger: logger) {
            pulse.beat(isServing: $0)
        }
        let notifier = SystemdNotifier([pulse])
        var services: [any Service] = [bridge]
        if !HangUp.isEnd {
            let reload = try SettingsReload(options, bridge, logger)
            services.append(Reload(notifier: notifier) { await reload.run() })
        }
        // Told to end first, it says so first.
        services.append(notifier)
        let group = ServiceGroup(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint] + (HangUp.isEnd ? [.sighup] : []),
            logger: logger)
        try await group.run()
        Bridge.leaveOneFile(options.databasePath)
    }
}

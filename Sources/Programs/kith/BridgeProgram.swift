import Bridge
import Logging
import ServiceLifecycle
import UnixSignals

/// The bridge as a separate process: `kith serve`, and a part of `kith up`.
struct BridgeProgram {
    let options: DataOptions
    var settings: BridgeSettings
    /// The command line's changes to the configuration, whenever that is read again.
    var adjust: @Sendable (inout BridgeSettings) -> Void = { _ in }
    var isPart = false

    func run() async throws {
        var settings = settings
        settings.describePlace = CityFiles.describePlace()
        let logger = try await options.logger("kith")
        try options.makeDirectory(logger)
        let pulse = Pulse("the broker")
        let bridge = Bridge(databasePath: options.databasePath, settings, logger: logger) {
            pulse.beat(isServing: $0)
        }
        let notifier = SystemdNotifier([pulse], isPart: isPart)
        var services: [any Service] = [bridge]
        if !HangUp.isEnd {
            let reload = try SettingsReload(options, bridge, logger, adjust: adjust)
            services.append(Reload(notifier: notifier) { await reload.run() })
        }
        // It is stopped first, so it reports that first.
        services.append(notifier)
        try await HangUp.group(services, logger).run()
        Bridge.leaveOneFile(options.databasePath, settings)
    }
}

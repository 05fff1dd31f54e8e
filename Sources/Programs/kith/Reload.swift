import Bridge
import Foundation
import Logging
import ServiceLifecycle
import Settings
import Synchronization
import UnixSignals

/// Runs an action on each SIGHUP, and notifies systemd meanwhile.
struct Reload: Service {
    let notifier: SystemdNotifier
    let steps: @Sendable () async -> Void

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            await notifier.whileReloading(steps)
        }
    }
}

/// Reads the configuration again and makes a bridge apply the settings that can change while it
/// runs.
final class SettingsReload: Sendable {
    private let options: DataOptions
    private let bridge: Bridge
    private let logger: Logger
    private let adjust: @Sendable (inout BridgeSettings) -> Void
    /// The file with which the program was started.
    private let first: ConfigurationFile?
    private let last: Mutex<ConfigurationFile?>

    /// - Parameter adjust: the command line's changes to the configuration.
    init(
        _ options: DataOptions, _ bridge: Bridge, _ logger: Logger,
        adjust: @escaping @Sendable (inout BridgeSettings) -> Void = { _ in }
    ) throws {
        self.options = options
        self.bridge = bridge
        self.logger = logger
        self.adjust = adjust
        first = try SettingsReload.file(options)
        last = Mutex(first)
    }

    /// Reloads the configuration; an invalid one changes nothing.
    func run() async {
        let file: ConfigurationFile?
        var settings: BridgeSettings
        do {
            settings = try await options.allSettings().bridge
            file = try SettingsReload.file(options)
        } catch {
            return logger.error("The settings are unchanged. \(error)")
        }
        adjust(&settings)
        bridge.reload(settings)
        let changes = ConfigurationFile.changes(from: last.withLock { $0 }, to: file)
        last.withLock { $0 = file }
        let reloadable = BridgeSettings.reloadableKeys
        let taken = changes.filter { reloadable.contains($0) }
        if !taken.isEmpty {
            logger.notice("The settings were reloaded.", metadata: ["keys": .init(keys: taken)])
        }
        let others = ConfigurationFile.changes(from: first, to: file)
            .filter { !reloadable.contains($0) }
        if !others.isEmpty {
            logger.warning(
                "Some changed settings take effect only after a restart.",
                metadata: ["keys": .init(keys: others)])
        }
    }

    private static func file(_ options: DataOptions) throws -> ConfigurationFile? {
        let path = options.config ?? "\(options.data)/kith.yaml"
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try ConfigurationFile(
            path: path, text: String(contentsOfFile: path, encoding: .utf8))
    }
}

extension Logger.MetadataValue {
    fileprivate init(keys: [String]) { self = .string(keys.joined(separator: ", ")) }
}

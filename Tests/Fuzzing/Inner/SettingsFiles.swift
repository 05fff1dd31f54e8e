#if DEBUG
import Bridge
import Configuration
import Contract
import Limits
import SystemPackage
import Tracking
import Web

@testable import Settings

/// The operator's configuration: `kith.yaml`, and the same as variables of the environment.
enum SettingsFiles {
    private static let known = BridgeSettings.keys.union(WebSettings.keys).union(LogSettings.keys)

    static func read(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let file: ConfigurationFile
        do throws(SettingsError) {
            file = try ConfigurationFile(path: "kith.yaml", text: text)
        } catch {
            return try check(error.reasons)
        }
        try check(file.findings(known: known).map(\.description))
        try expect(
            ConfigurationFile.changes(from: file, to: file).isEmpty, "a file is like itself")
        let path = try Scratch.write(Array(text.utf8), as: "kith.yaml")
        let provider = try waiting { await SettingsFiles.provider(path) }
        if let provider { try check(ConfigReader(provider: provider), file) }
        try check(ConfigReader(provider: environment(of: file)), file)
    }

    /// Nil for anything but a configuration.
    private static func provider(_ path: String) async -> FileProvider<YAMLSnapshot>? {
        do { return try await FileProvider<YAMLSnapshot>(filePath: FilePath(path)) } catch {
            return nil
        }
    }

    private static func environment(of file: ConfigurationFile) -> some ConfigProvider {
        let variables = file.entries.compactMap { entry in
            entry.value.map { (Settings.Finding.variable(entry.key), $0) }
        }
        return EnvironmentVariablesProvider(
            environmentVariables: Dictionary(variables, uniquingKeysWith: { $1 })
        ).prefixKeys(with: "kith")
    }

    private static func check(_ reasons: [String]) throws {
        try expect(!reasons.contains(""), "each fault has a reason")
    }

    private static func check(_ config: ConfigReader, _ file: ConfigurationFile) throws {
        let bridge = try value(file) { () throws(SettingsError) in try BridgeSettings(config) }
        if let bridge { try check(bridge) }
        let web = try value(file) { () throws(SettingsError) in try WebSettings(config) }
        if let web { try check(web) }
        _ = try value(file) { () throws(SettingsError) in try LogSettings(config) }
    }

    /// Nil if something is wrong.
    private static func value<Value>(
        _ file: ConfigurationFile, _ read: () throws(SettingsError) -> Value
    ) throws -> Value? {
        do throws(SettingsError) {
            return try read()
        } catch {
            try expect(!error.reasons.isEmpty, "a refusal has a reason")
            try check(error.reasons.map { Settings.Finding($0, in: file).description })
            return nil
        }
    }

    private static func check(_ settings: BridgeSettings) throws {
        let times = [
            settings.rules.stuckAfter, settings.rules.offlineAfter, settings.rules.silentAfter,
            settings.rules.backfillAge, settings.rules.repeatAfter, settings.limits.retention,
            settings.retention.chat, settings.broker.autosaveInterval,
        ]
        try expect(times.allSatisfy { $0 > .zero }, "what takes time takes some")
        try expect((1...65_535).contains(settings.broker.port), "a port is one")
        try expect(
            settings.disk.reserve >= 0 && settings.disk.gatherFor >= .zero, "a disk has room")
    }

    private static func check(_ settings: WebSettings) throws {
        try expect((0...65_535).contains(settings.server.port), "a port is one")
        try expect(settings.limits.requestsOfAddress.perSecond >= 1, "addresses get responses")
    }
}
#endif

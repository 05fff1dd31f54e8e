import ArgumentParser
import Bridge
import Configuration
import Foundation
import Languages
import Logging
import Settings
import SystemPackage
import Web
import Yams

/// Where Kith keeps its data, and its configuration.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: """
            The directory of the database and of the broker's own data. Default: kith-data; with \
            --demo: kith-demo.
            """)
    var givenData: String?

    @Option(help: "The configuration file. Default: kith.yaml in the data directory.")
    var config: String?

    @Flag(help: "Log more.")
    var verbose = false

    var data: String { givenData ?? "kith-data" }
    var databasePath: String { "\(data)/kith.db" }

    /// Creates the directory, accessible only to its owner.
    func makeDirectory() throws {
        do {
            try FileManager.default.createDirectory(
                atPath: data, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw Complaint("The data directory \(data) cannot be created.")
        }
    }

    func logger(_ label: String) -> Logger {
        var logger = Logger(label: label) { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = verbose ? .debug : .info
        return logger
    }

    /// - Throws: ``Complaint`` with everything that is wrong.
    func settings() async throws -> BridgeSettings {
        var settings = try await read { config throws(SettingsError) in try BridgeSettings(config) }
        if let languages = LanguageFiles.find() {
            settings.languages = Catalogues(directory: languages)
        }
        return settings
    }

    /// With the installed map, or what was chosen instead, where the configuration names none.
    ///
    /// - Throws: ``Complaint`` with everything that is wrong.
    func webSettings() async throws -> WebSettings {
        var settings = try await read { config throws(SettingsError) in try WebSettings(config) }
        if settings.map == nil, settings.tiles == nil {
            if FileManager.default.fileExists(atPath: mapPath) {
                settings.map = mapPath
            } else {
                MapChoice.kept(in: data)?.apply(to: &settings)
            }
        }
        return settings
    }

    private func read<Value>(
        _ body: (ConfigReader) throws(SettingsError) -> Value
    ) async throws -> Value {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "kith")
        let config: ConfigReader
        if let path = try configurationFile() {
            let file = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path))
            config = ConfigReader(providers: [environment, file])
        } else {
            config = ConfigReader(provider: environment)
        }
        do throws(SettingsError) {
            return try body(config)
        } catch {
            throw Complaint("The configuration is not valid: \(error)")
        }
    }

    /// The configuration file, if there is one, after checking it for unknown keys.
    private func configurationFile() throws -> String? {
        let path = config ?? "\(data)/kith.yaml"
        guard FileManager.default.fileExists(atPath: path) else {
            guard config == nil else { throw Complaint("There is no file \(path).") }
            return nil
        }
        let text: String
        do {
            text = try String(contentsOfFile: path, encoding: .utf8)
        } catch {
            throw Complaint("The file \(path) cannot be read.")
        }
        let root: Any?
        do {
            root = try Yams.load(yaml: text)
        } catch {
            throw Complaint("The file \(path) is not valid YAML.")
        }
        // The file is empty apart from comments.
        if root == nil || root is NSNull { return nil }
        guard root is [String: Any] else {
            throw Complaint("The file \(path) is not a mapping of keys to values.")
        }
        let known = BridgeSettings.keys.union(WebSettings.keys)
        let unknown = Self.keys(of: root).filter { !known.contains($0) }
        guard unknown.isEmpty else {
            let list = unknown.sorted().joined(separator: ", ")
            throw Complaint("The file \(path) has unknown keys: \(list).")
        }
        return path
    }

    private static func keys(of value: Any?, below prefix: String = "") -> [String] {
        guard let table = value as? [String: Any] else { return prefix.isEmpty ? [] : [prefix] }
        return table.flatMap { key, value in
            keys(of: value, below: prefix.isEmpty ? key : "\(prefix).\(key)")
        }
    }
}

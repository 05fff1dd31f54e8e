import ArgumentParser
import Bridge
import Configuration
import Foundation
import Languages
import Logging
import Settings
import SystemPackage
import Web

/// The locations of Kith's data and its configuration.
struct DataOptions: ParsableArguments {
    @Option(
        name: .customLong("data"),
        help: """
            The directory of the database and of the broker's own data. Default: what KITH_DATA \
            names, or else kith-data; with --demo: kith-demo.
            """,
        completion: .directory)
    var givenData: String?

    @Option(help: "The configuration file. Default: kith.yaml in the data directory.")
    var config: String?

    @Option(
        help: "How log lines are written: text or json. Default: log.format in the configuration.")
    var logFormat: LogSettings.Format?

    @Flag(help: "Log more, regardless of log.level.")
    var verbose = false

    var data: String { givenData ?? DataOptions.usual }
    var databasePath: String { "\(data)/kith.db" }

    /// An empty `KITH_DATA` counts as unset.
    private static var usual: String {
        let named = ProcessInfo.processInfo.environment["KITH_DATA"] ?? ""
        return named.isEmpty ? "kith-data" : named
    }

    /// - Throws: ``Complaint`` with all faults of its settings.
    func logger(_ label: String) async throws -> Logger {
        let settings = try await read { config throws(SettingsError) in try LogSettings(config) }
        let format = logFormat ?? settings.format
        var logger = Logger(label: label) { format.handler($0) }
        logger.logLevel = verbose ? .debug : Logger.Level(settings.level)
        return logger
    }

    /// - Throws: ``Complaint`` with all faults.
    func settings() async throws -> BridgeSettings {
        var settings = try await read { config throws(SettingsError) in try BridgeSettings(config) }
        if let languages = LanguageFiles.find() {
            settings.languages = Catalogues(directory: languages)
        }
        let certificate = brokerCertificate
        settings.certificateEnd = { Web.certificateEnd(of: certificate) }
        return settings
    }

    /// The certificate of the broker to which phones connect.
    private var brokerCertificate: String { "\(data)/certificates/server.crt" }

    /// Returns the settings with the installed map, or the chosen alternative, if the configuration
    /// names none.
    ///
    /// - Throws: ``Complaint`` with all faults.
    func webSettings() async throws -> WebSettings {
        var settings = try await read { config throws(SettingsError) in try WebSettings(config) }
        settings.brokerCertificate = brokerCertificate
        if settings.map == nil, settings.tiles == nil {
            if FileManager.default.fileExists(atPath: mapPath) {
                settings.map = mapPath
            } else {
                MapChoice.kept(in: data)?.apply(to: &settings)
            }
        }
        return settings
    }

    /// Returns all settings, to report all faults together.
    func allSettings() async throws -> (bridge: BridgeSettings, web: WebSettings) {
        try await read { config throws(SettingsError) in
            var reasons: [String] = []
            let bridge = DataOptions.value(&reasons) { () throws(SettingsError) in
                try BridgeSettings(config)
            }
            let web = DataOptions.value(&reasons) { () throws(SettingsError) in
                try WebSettings(config)
            }
            let log = DataOptions.value(&reasons) { () throws(SettingsError) in
                try LogSettings(config)
            }
            guard let bridge, let web, log != nil else { throw SettingsError(reasons: reasons) }
            return (bridge, web)
        }
    }

    /// Returns nil if there is a fault, which is added to the reasons.
    private static func value<Value>(
        _ reasons: inout [String], _ body: () throws(SettingsError) -> Value
    ) -> Value? {
        do throws(SettingsError) {
            return try body()
        } catch {
            reasons += error.reasons
            return nil
        }
    }

    /// - Parameter isStrict: whether keys that do not exist are faults.
    func read<Value>(
        isStrict: Bool = true, _ body: (ConfigReader) throws(SettingsError) -> Value
    ) async throws -> Value {
        let file = try configurationFile()
        let known = BridgeSettings.keys.union(WebSettings.keys).union(LogSettings.keys)
        var findings = file?.findings(known: known) ?? []
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "kith")
        var config = ConfigReader(provider: environment)
        if let file, !file.isEmpty {
            do {
                let provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(file.path))
                config = ConfigReader(providers: [environment, provider])
            } catch {
                guard findings.isEmpty else { throw DataOptions.complaint(findings) }
                throw Complaint("The file \(file.path) cannot be read as a configuration.")
            }
        }
        do throws(SettingsError) {
            let value = try body(config)
            if findings.isEmpty || !isStrict { return value }
        } catch {
            let variables = ProcessInfo.processInfo.environment
            findings += error.reasons.map { Finding($0, in: file, environment: variables) }
        }
        throw DataOptions.complaint(findings)
    }

    private static func complaint(_ findings: [Finding]) -> Complaint {
        Complaint("The configuration is not valid:\(Finding.list(findings))")
    }

    /// The configuration file, if there is one.
    private func configurationFile() throws -> ConfigurationFile? {
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
        do throws(SettingsError) {
            return try ConfigurationFile(path: path, text: text)
        } catch {
            throw Complaint("The file \(error)")
        }
    }
}

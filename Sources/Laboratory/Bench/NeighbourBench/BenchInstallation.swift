internal import Clocks
internal import Foundation
internal import LocalBroker
internal import Logging
internal import MQTT
internal import Store
internal import Subprocess
internal import SystemPackage
internal import Tracking

/// A separate installation for each situation: a broker with the gate, a bridge and a page, on a
/// new database, so that no nuisance leaves anything behind for the next.
struct BenchInstallation {
    let settings: NeighbourSettings
    /// The nuisance whose people live there besides the ordinary ones.
    let nuisance: (any NoisyNeighbour)?

    /// - Parameter body: called on a thread of its own, while everything runs.
    func live(_ body: @escaping @Sendable (BenchSite) throws -> Void) async throws {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "kith-neighbours-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { BenchInstallation.removeQuietly(directory) }
        let database = directory.appending(path: "kith.db").path
        let now = Timestamp.now
        let cast = try populate(database, at: now)
        let port = try LocalBroker.freePort()
        var brokerSettings = BrokerSettings(
            template: settings.tools.brokerTemplate,
            dataDirectory: directory.appending(path: "broker").path, port: port)
        brokerSettings.variables = [
            "GATE": settings.tools.gate, "ROOT": "kith", "DATABASE": database,
        ]
        let log = BrokerLog()
        let broker = LocalBroker(
            brokerSettings, logger: Logger(label: "bench") { _ in CountingLogHandler(log: log) })
        try await withThrowingTaskGroup { group in
            group.addTask { try await broker.run() }
            try await broker.waitUntilReady()
            let site = BenchSite(
                cast: cast, settings: settings, since: now, directory: directory.path, port: port,
                broker: broker.processIdentifier ?? 0, log: log)
            try await openBridge(site, body)
            group.cancelAll()
        }
    }

    private func populate(_ database: String, at now: Timestamp) throws -> Scene.Cast {
        let store = try Store.open(database, at: now)
        return try store.transaction { transaction in
            var population = Population(transaction, settings, at: now)
            try Ordinary.populate(&population)
            try SOSCallers.populate(&population)
            try nuisance?.populate(&population)
            return population.cast
        }
    }

    private func openBridge(
        _ site: BenchSite, _ body: @escaping @Sendable (BenchSite) throws -> Void
    ) async throws {
        var variables: [Environment.Key: String?] = [
            "KITH_BROKER_PORT": "\(site.port)", "KITH_BROKER_HAS_GATE": "true",
        ]
        for (key, value) in nuisance?.environment ?? [:] {
            variables[Environment.Key(stringLiteral: key)] = value
        }
        let environment = Environment.inherit.updating(variables)
        _ = try await Subprocess.run(
            .path(FilePath(settings.tools.kith)),
            arguments: ["serve", "--data", site.directory],
            environment: environment, input: .none, output: .discarded, error: .discarded
        ) { execution in
            var site = site
            site.bridge = execution.processIdentifier.value
            try await openPage(site, body)
            try execution.send(signal: .kill)
        }
    }

    private func openPage(
        _ site: BenchSite, _ body: @escaping @Sendable (BenchSite) throws -> Void
    ) async throws {
        let port = try LocalBroker.freePort()
        let environment = Environment.inherit.updating([
            "KITH_BROKER_PORT": "\(site.port)", "KITH_WEB_PORT": "\(port)",
            "KITH_WEB_CONNECTIONS_OF_ADDRESS": "100000",
            "KITH_WEB_REQUESTS_OF_ADDRESS": "100000", "KITH_WEB_BEHIND_PROXY": "true",
        ])
        var options = PlatformOptions()
        options.processGroupID = 0  // As under `kith up`: it lowers the priority of its group.
        _ = try await Subprocess.run(
            .path(FilePath(settings.tools.kith)),
            arguments: ["web", "--data", site.directory], environment: environment,
            platformOptions: options, input: .none, output: .discarded, error: .discarded
        ) { execution in
            var site = site
            site.page = execution.processIdentifier.value
            site.pagePort = port
            let settled = site
            try await onThread(named: "neighbours") { try body(settled) }
            try execution.send(signal: .kill)
        }
    }

    private static func removeQuietly(_ directory: URL) {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            return  // It is in the temporary directory anyway.
        }
    }
}

/// Discards log lines except for their length.
private struct CountingLogHandler: LogHandler {
    let log: BrokerLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { log.note("\(event.message)".utf8.count) }
}

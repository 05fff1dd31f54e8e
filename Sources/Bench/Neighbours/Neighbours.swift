internal import Foundation
internal import LocalBroker
internal import Logging
internal import MQTT
internal import Subprocess
internal import SystemPackage
internal import Tracking

/// How many neighbours make trouble.
public struct NeighbourSettings: Sendable {
    /// Seconds for which each situation is measured.
    public var seconds = 8
    public var connections = 5_000
    public var timers = 10_000
    /// Members of the large group.
    public var groupSize = 1_000
    /// Who watch that group, over MQTT and with browsers; fewer than its members.
    public var visitors = 500
    /// A part of the names of the nuisances to measure; nil: all of them.
    public var only: String?
    public var equipment: Equipment

    public init(_ equipment: Equipment) { self.equipment = equipment }
}

/// Measures what some people's trouble costs others: how long ordinary fixes take to become
/// states while nothing else happens, and beside each nuisance, on one broker with the gate and
/// one bridge.
public struct Neighbours: Sendable {
    let settings: NeighbourSettings

    public init(_ settings: NeighbourSettings) { self.settings = settings }

    /// From the making of the database until the timers are due.
    private static let preparation = Duration.seconds(15)

    /// - Parameter say: called with each line of the report as it is known.
    public func run(_ say: @escaping @Sendable (String) -> Void) async throws {
        raiseFileLimit()
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "kith-neighbours-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { removeQuietly(directory) }
        let eta = Crowd.now + Neighbours.preparation + .seconds(settings.seconds)
        let scene = NeighbourScene(
            path: directory.appending(path: "kith.db").path, settings: settings)
        let cast = try scene.prepare(eta: eta)
        let port = try LocalBroker.freePort()
        var brokerSettings = BrokerSettings(
            template: settings.equipment.brokerTemplate,
            dataDirectory: directory.appending(path: "broker").path, port: port)
        brokerSettings.variables = [
            "GATE": settings.equipment.gate, "ROOT": "kith", "DATABASE": scene.path,
        ]
        let broker = LocalBroker(
            brokerSettings, logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup { group in
            group.addTask { try await broker.run() }
            try await broker.waitUntilReady()
            let town = Town(
                cast: cast, port: port, settings: settings, broker: broker.processIdentifier ?? 0)
            try await live(town, directory.path, eta, say)
            group.cancelAll()
        }
    }

    private func live(
        _ town: Town, _ directory: String, _ eta: Timestamp,
        _ say: @escaping @Sendable (String) -> Void
    ) async throws {
        let environment = Environment.inherit.updating([
            "KITH_BROKER_PORT": "\(town.port)", "KITH_BROKER_HAS_GATE": "true",
        ])
        _ = try await Subprocess.run(
            .path(FilePath(settings.equipment.program)), arguments: ["serve", "--data", directory],
            environment: environment, input: .none, output: .discarded, error: .discarded
        ) { execution in
            var town = town
            town.bridge = execution.processIdentifier.value
            try await open(town, directory) { town in
                try await onThread(named: "neighbours") { try report(town, eta, say) }
            }
            try execution.send(signal: .kill)
        }
    }

    /// The page as well.
    private func open(
        _ town: Town, _ directory: String,
        _ body: @escaping @Sendable (Town) async throws -> Void
    ) async throws {
        let port = try LocalBroker.freePort()
        let environment = Environment.inherit.updating([
            "KITH_BROKER_PORT": "\(town.port)", "KITH_WEB_PORT": "\(port)",
            "KITH_WEB_CONNECTIONS_OF_ADDRESS": "100000",
            "KITH_WEB_REQUESTS_OF_ADDRESS": "100000",
        ])
        _ = try await Subprocess.run(
            .path(FilePath(settings.equipment.program)), arguments: ["web", "--data", directory],
            environment: environment, input: .none, output: .discarded, error: .discarded
        ) { execution in
            var town = town
            town.page = execution.processIdentifier.value
            town.pagePort = port
            try await body(town)
            try execution.send(signal: .kill)
        }
    }

    private func report(_ town: Town, _ eta: Timestamp, _ say: (String) -> Void) throws {
        let ordinary = try Ordinary(town.cast, town.port)
        try ordinary.settle()
        let length = Duration.seconds(settings.seconds)
        say(
            "\(Int(Ordinary.rate)) fixes a second of \(Ordinary.phoneCount) people in groups of "
                + "\(NeighbourScene.groupSize), each situation for \(settings.seconds) s.")
        say(
            "beside                          p50 ms  p99 ms  max ms   × p50   × p99  missing"
                + "  % broker  % bridge    % page")
        let before = Load(town)
        let quiet = try ordinary.walk(for: length)
        say(line("nothing", quiet, quiet) + before.line(until: Load(town)))
        let nuisances: [any Nuisance] = [
            DueTimers(town: town, eta: eta), Deafness(town: town), Flood(town: town),
            Storm(town: town), LargeGroup(town: town), Readers(town: town, way: .mqtt),
            Readers(town: town, way: .page),
        ]
        let chosen = nuisances.filter { settings.only.map($0.name.contains) ?? true }
        for nuisance in chosen {
            let sideline = Sideline(nuisance)
            let before = Load(town)
            let walk = try ordinary.walk(for: length)
            let load = before.line(until: Load(town))
            let remark = try sideline.end()
            say(line(nuisance.name, walk, quiet) + load + (remark.isEmpty ? "" : "  \(remark)"))
            try ordinary.settle()
        }
        say(line("nothing, again", try ordinary.walk(for: length), quiet))
    }

    /// What the broker and the bridge have used of a core.
    private struct Load {
        let broker: Usage
        let bridge: Usage
        let page: Usage
        let at = ContinuousClock.now

        init(_ town: Town) {
            broker = Usage.of(town.broker)
            bridge = Usage.of(town.bridge)
            page = Usage.of(town.page)
        }

        func line(until end: Load) -> String {
            let seconds = (end.at - at).seconds
            func share(_ before: Usage, _ after: Usage) -> String {
                let percent = "\(Int(((after.cpu - before.cpu) / seconds * 100).rounded()))"
                return String(repeating: " ", count: max(0, 10 - percent.count)) + percent
            }
            return share(broker, end.broker) + share(bridge, end.bridge) + share(page, end.page)
        }
    }

    private func line(_ name: String, _ walk: Walk, _ quiet: Walk) -> String {
        func milliseconds(_ value: Int64) -> String {
            column("\((Double(value) / 100).rounded() / 10)", 8)
        }
        func ratio(_ value: Int64, _ base: Int64) -> String {
            column("\((Double(value) / Double(max(base, 1)) * 10).rounded() / 10)", 8)
        }
        return name.padding(toLength: 30, withPad: " ", startingAt: 0)
            + milliseconds(walk.p50) + milliseconds(walk.p99) + milliseconds(walk.longest)
            + ratio(walk.p50, quiet.p50) + ratio(walk.p99, quiet.p99)
            + column("\(walk.missing)", 9)
    }

    private func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private func removeQuietly(_ directory: URL) {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            return  // It lies in the temporary directory.
        }
    }
}

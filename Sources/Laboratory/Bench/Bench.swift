internal import Contract
internal import Foundation
internal import LocalBroker
internal import Logging
internal import MQTT
internal import Numbers
internal import Store
internal import Subprocess
internal import SystemPackage

/// Makes each part handle the same fixes, one part after the other, on separate brokers, and lists
/// the figures side by side.
public struct Bench: Sendable {
    let settings: BenchSettings

    public init(_ settings: BenchSettings) { self.settings = settings }

    /// - Parameter say: called with each line of the report as soon as it is known.
    public func run(_ say: @escaping @Sendable (String) -> Void) async throws {
        say(
            "\(settings.fixes) fixes, \(settings.users) users in groups of "
                + "\(settings.groupSize), \(settings.history) fixes stored before.")
        say("part        fixes/s  µs CPU/fix   broker µs/fix   peak MB   broker MB")
        var (rates, costs): ([Part: Double], [Part: Double]) = ([:], [:])
        var (echoing, kith): (Measurement?, Measurement?)
        for part in Part.allCases {
            let measurement = try await measure(part)
            rates[part] = measurement.rate
            costs[part] = measurement.cpu
            if part == .echo { echoing = measurement }
            if part == .kith { kith = measurement }
            say(measurement.line)
        }
        let row = try RowCost.measure()
        if let kith = costs[.kith], let echo = costs[.echo] {
            say(
                "A row alone: \(tenths(row)) µs CPU. A fix: kith \(tenths(kith)), "
                    + "1.5 × echo and a row \(tenths(1.5 * echo + row)).")
        }
        if let kith {
            say(
                "kith took fixes \(tenths(kith.ready)) s after its start; it had "
                    + "\(kith.restingMemory / 1_000_000) MB before they came.")
        }
        if let without = rates[.ungated], let with = rates[.gated] {
            say(
                "gated/ungated \(percent(with / without)), for \(settings.gatedDevices) devices with a "
                    + "connection each that watch their groups.")
        }
        if let kith, let echo = rates[.echo], let count = rates[.count] {
            say(
                "kith/echo \(percent(kith.rate / echo)), "
                    + "kith/count \(percent(kith.rate / count)).")
            for (name, part) in [("echo", echoing), ("member state", kith)] {
                guard let part, let latency = part.latency else { continue }
                say(
                    "Latency fix → \(name) at half its rate (\(Int(clamping: part.rate / 2))/s): "
                        + "p50 \(latency.p50) ms, p99 \(latency.p99) ms, max \(latency.max) ms "
                        + "of \(latency.count).")
            }
            if let trace = kith.trace, let probe = trace.latency {
                say(
                    "Latency SOS → alert at full rate: p50 \(probe.p50) ms, max "
                        + "\(probe.max) ms of \(probe.count) alerts.")
                say(trace.line)
            }
        }
    }

    private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    private func percent(_ ratio: Double) -> String {
        "\(Int(clamping: (ratio * 100).rounded())) %"
    }

    // MARK: One part

    private func measure(_ part: Part) async throws -> Measurement {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "kith-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { removeQuietly(directory) }
        var cast = Scene.Cast()
        let schema = part.isBridge ? try settings.database.map { try BenchSchema(in: $0) } : nil
        defer { schema?.drop() }
        if part.isBridge {
            let scene = Scene(
                database: DatabaseAddress(
                    directory.appending(path: "kith.db").path, server: schema?.uri),
                settings: settings)
            cast = try scene.prepare()
        }
        let stage = PartStage(directory: directory.path, cast: cast, server: schema?.uri)
        let port = try LocalBroker.freePort()
        let broker = LocalBroker(
            try brokerSettings(part, directory, port),
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Measurement?.self) { group in
            group.addTask {
                try await broker.run()
                return nil
            }
            group.addTask {
                try await broker.waitUntilReady()
                return try await perform(part, port, stage, broker)
            }
            while let measurement = try await group.next() {
                guard let measurement else { continue }
                group.cancelAll()
                return measurement
            }
            throw CancellationError()
        }
    }

    private func brokerSettings(_ part: Part, _ directory: URL, _ port: UInt16) throws
        -> BrokerSettings
    {
        let text = try String(contentsOfFile: settings.tools.brokerTemplate, encoding: .utf8)
        let template = directory.appending(path: "template.conf").path
        try text.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { part == .gated || !$0.hasPrefix("plugin") }.joined(separator: "\n")
            .write(toFile: template, atomically: true, encoding: .utf8)
        var broker = BrokerSettings(
            template: template, dataDirectory: directory.appending(path: "broker").path,
            port: port)
        broker.variables = [
            "GATE": settings.tools.gate, "ROOT": "kith",
            "DATABASE": directory.appending(path: "kith.db").path,
        ]
        return broker
    }

    private func perform(
        _ part: Part, _ port: UInt16, _ stage: PartStage, _ broker: LocalBroker
    ) async throws -> Measurement {
        var environment = Environment.inherit
        // A part other than Kith is this program.
        var program = "/proc/self/exe"
        var arguments: Arguments = ["bench-part", part.rawValue, "--port", "\(port)"]
        if part.isBridge {
            environment = environment.updating(["KITH_BROKER_PORT": "\(port)"])
            if let server = stage.server {
                environment = environment.updating(["KITH_DATABASE": server])
            }
            program = settings.tools.kith
            arguments = ["serve", "--data", stage.directory]
        }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: arguments,
            environment: environment,
            input: .none, output: .discarded, error: .discarded
        ) { execution in
            let process = execution.processIdentifier.value
            if part.usesDevices {
                let measurement = try await onThread(named: "devices") {
                    try measureDevices(part, port, stage, process, broker)
                }
                try execution.send(signal: .kill)
                return measurement
            }
            let publisher = FixPublisher(port: port, settings: settings)
            let spawned = ContinuousClock.now
            let knocks = try await onThread(named: "publisher") { try publisher.knock() }
            let ready = ContinuousClock.now - spawned
            await Usage.rest(of: process)
            let resting = Usage.of(process).memory
            var measurement = try await measure(part, publisher, stage, process, broker, knocks)
            (measurement.ready, measurement.restingMemory) = (ready.seconds, resting)
            try execution.send(signal: .kill)
            return measurement
        }
        return result.closureResult
    }

    private func measure(
        _ part: Part, _ publisher: FixPublisher, _ stage: PartStage, _ process: Int32,
        _ broker: LocalBroker,
        _ knocks: Int64
    ) async throws -> Measurement {
        let brokerProcess = broker.processIdentifier ?? 0
        let before = (Usage.of(process), Usage.of(brokerProcess))
        let seconds = try await onThread(named: "publisher") {
            try publisher.rush(last: knocks + 1)
        }
        let after = (Usage.of(process), Usage.of(brokerProcess))
        var measurement = Measurement(
            part, fixes: settings.fixes, seconds: seconds, before: before, after: after)
        if part == .echo || part == .kith, settings.latencyFor > .zero {
            measurement.latency = try await latency(
                of: part, publisher, stage, at: measurement.rate / 2, last: knocks + 2)
        }
        if part == .kith, settings.latencyFor > .zero {
            measurement.trace = try await probe(publisher, stage, last: knocks + 3)
        }
        return measurement
    }

    private func measureDevices(
        _ part: Part, _ port: UInt16, _ stage: PartStage, _ process: Int32, _ broker: LocalBroker
    ) throws -> Measurement {
        let devices = try DeviceFleet(stage, port, settings)
        let knocks = try devices.knock()
        let brokerProcess = broker.processIdentifier ?? 0
        let before = (Usage.of(process), Usage.of(brokerProcess))
        let seconds = try devices.rush(last: knocks + 1)
        let after = (Usage.of(process), Usage.of(brokerProcess))
        return Measurement(
            part, fixes: settings.fixes, seconds: seconds, before: before, after: after)
    }

    private func latency(
        of part: Part, _ publisher: FixPublisher, _ stage: PartStage, at rate: Double, last: Int64
    ) async throws -> Latency? {
        try await Task.sleep(for: .seconds(1))  // Keeps the backlog of the rush out of the latency.
        let topics =
            part == .echo
            ? Scene.sample(of: settings).map { BaselineProcess.echo(of: Stage.user($0)) }
            : stage.groups.map { "kith/groups/\($0)/members/+" }
        let subscriber = LatencySubscriber(port: publisher.port, topics: topics, last: last)
        async let watching: Void = onThread(named: "subscriber") { try subscriber.run() }
        try await onThread(named: "publisher") {
            try publisher.stroll(perSecond: rate, for: settings.latencyFor, last: last)
        }
        try await watching
        return subscriber.latency
    }

    /// Measures how long an SOS takes to reach its group while fixes come as fast as the broker
    /// accepts them.
    private func probe(_ publisher: FixPublisher, _ stage: PartStage, last: Int64) async throws
        -> SOSTrace
    {
        let probe = SOSProbe(port: publisher.port, groups: stage.groups, groupOf: stage.groupOf)
        async let calling: Void = onThread(named: "sos") { try probe.run() }
        _ = try await onThread(named: "publisher") { try publisher.rush(last: last) }
        probe.stop()
        try await calling
        return probe.trace
    }

    private func removeQuietly(_ directory: URL) {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            return  // It is in the temporary directory anyway.
        }
    }
}

/// The environment of a part when it begins.
struct PartStage: Sendable {
    let directory: String
    let cast: Scene.Cast
    /// The bridge's database; nil: SQLite.
    let server: String?

    var groups: [GroupKey] { cast.sample }
    var groupOf: [String: GroupKey] { cast.groupOf }
    var tokens: [String: DeviceToken] { cast.tokens }
}

/// The results of one part.
struct Measurement: Sendable {
    let part: Part
    /// Fixes per second.
    let rate: Double
    /// Microseconds per fix.
    let cpu: Double
    let brokerCPU: Double
    let peakMemory: Int
    let brokerMemory: Int
    /// From a fix to the resulting member state.
    var latency: Latency?
    /// From an SOS to its alert.
    var trace: SOSTrace?
    /// Seconds from the start of the part until it handled fixes.
    var ready = 0.0
    /// In bytes, before the fixes came.
    var restingMemory = 0

    /// - Parameter before: the resources that the part and the broker had used before the fixes;
    ///   likewise `after`.
    init(
        _ part: Part, fixes: Int, seconds: Double, before: (Usage, Usage), after: (Usage, Usage)
    ) {
        self.part = part
        rate = Double(fixes) / seconds
        cpu = (after.0.cpu - before.0.cpu) / Double(fixes) * 1e6
        brokerCPU = (after.1.cpu - before.1.cpu) / Double(fixes) * 1e6
        peakMemory = after.0.peakMemory
        brokerMemory = after.1.peakMemory
    }

    var line: String {
        [
            part.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0),
            column("\(Int(clamping: rate))", 11), column("\((cpu * 10).rounded() / 10)", 12),
            column("\((brokerCPU * 10).rounded() / 10)", 16),
            column("\(peakMemory / 1_000_000)", 10),
            column("\(brokerMemory / 1_000_000)", 12),
        ].joined()
    }

    private func column(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

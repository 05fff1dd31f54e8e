import Foundation
import GRDB
import Synchronization
import TestBroker
import TestFiles
import TestJSON
import Testing

/// A broker with the gate, `kith serve` and their data, for one test.
actor Installation {
    nonisolated let broker: TestBroker
    nonisolated let directory: String
    private nonisolated let tokens = Mutex<[String: String]>([:])
    private nonisolated let settings: [String: String]
    private var bridge: RunningProgram?
    private var listeners: [Listener] = []

    nonisolated var port: UInt16 { broker.port }

    /// No password here needs protection from guessing; the usual cost takes seconds in a debug
    /// build.
    private static let usual = ["KITH_ACCOUNTS_PASSWORD_COST": "10"]

    init(_ broker: TestBroker, _ directory: String, _ settings: [String: String]) {
        self.broker = broker
        self.directory = directory
        self.settings = Installation.usual.merging(settings) { $1 }
            .merging(["KITH_BROKER_PORT": "\(broker.port)"]) { $1 }
    }

    // MARK: The bridge

    /// Returns when it is connected to the broker.
    func start() async throws {
        try await connected(launch(), since: 0)
        try await mark()
    }

    /// Returns at once.
    @discardableResult
    func launch() -> RunningProgram {
        let bridge = RunningProgram(
            Program.kith, ["serve", "--data", directory], environment: settings)
        self.bridge = bridge
        return bridge
    }

    /// The log of the bridge so far.
    var log: [String] { bridge?.lines ?? [] }
    /// How the bridge has ended, if it has.
    var ending: String? { bridge?.ending }
    var processIdentifier: pid_t? { bridge?.processIdentifier }

    /// Publishes the marker that listeners wait for, on a topic that everybody may read.
    private nonisolated func mark() async throws {
        try await publish(Listener.marker, "marker", ["-r"], as: .bridge)
    }

    /// Kills it, as a power cut would. Returns when it is gone.
    func crash() async {
        await bridge?.kill()
        bridge = nil
    }

    /// Kills the broker, as a power cut would, and restarts it with what it had saved. Returns when
    /// the bridge is connected to it.
    func crashBroker() async throws {
        let bridge = try #require(bridge)
        let start = bridge.lines.count
        await broker.kill()
        try await startBroker()
        try await connected(bridge, since: start)
    }

    /// Starts it with what it had saved.
    nonisolated func startBroker() async throws {
        try await broker.start()
        try await mark()
    }

    /// The bridge's database, for reading from outside.
    nonisolated func database() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        return try DatabaseQueue(path: directory + "/kith.db", configuration: configuration)
    }

    private func connected(_ bridge: RunningProgram, since start: Int) async throws {
        let isConnected = try await eventually(
            "a connected bridge:\n\(bridge.lines.joined(separator: "\n"))"
        ) { () -> Bool? in
            if bridge.lines(from: start).contains(where: { $0.contains("Connected to the") }) {
                return true
            }
            return bridge.ending == nil ? nil : false
        }
        try #require(isConnected, "it ended: \(bridge.lines)")
    }

    func end() async {
        for listener in listeners { await listener.kill() }
        await crash()
    }

    // MARK: The operator

    /// Runs `kith` with this data directory; fails unless it succeeds.
    ///
    /// - Returns: its output.
    @discardableResult
    nonisolated func kith(_ arguments: String...) async throws -> String {
        try await kith(arguments)
    }

    private nonisolated func kith(_ arguments: [String]) async throws -> String {
        try await Program.succeed(
            Program.kith, arguments + ["--data", directory], environment: settings)
    }

    /// - Returns: the id of their group, `Family`.
    func family(_ users: String...) async throws -> String {
        for user in users { try await kith("user", "add", user, "--name", user.capitalized) }
        return try await kith(["group", "create", "Family"] + users)
    }

    // MARK: Clients

    /// The arguments with which a stock client connects.
    nonisolated func credentials(_ client: Client) async throws -> [String] {
        switch client {
        case .guest: return ["-p", "\(port)"]
        case .bridge, .operator:
            let name = client == .bridge ? "bridge" : "operator"
            let token = try String(contentsOfFile: "\(directory)/tokens/\(name)", encoding: .utf8)
            return ["-p", "\(port)", "-u", "kith:\(name)", "-P", token.trimmed]
        case .device(let user, let device):
            return ["-p", "\(port)", "-u", user, "-P", try await token(user, device)]
        }
    }

    /// The device's token, which the operator creates when it is first needed.
    nonisolated func token(_ user: String, _ device: String = "phone") async throws -> String {
        let key = "\(user).\(device)"
        if let known = tokens.withLock({ $0[key] }) { return known }
        let token = try await kith("user", "token", user, device).trimmed
        tokens.withLock { $0[key] = token }
        return token
    }

    /// Gives the user's phone a token by way of the configuration that its app imports.
    nonisolated func setUpOwnTracks(_ user: String) async throws {
        let file = try await kith("user", "token", user, "phone", "--owntracks")
        let token = try #require(JSON(parsing: file)["password"].text)
        tokens.withLock { $0["\(user).phone"] = token }
    }

    /// Runs `mosquitto_pub` with QoS 1, as the device named by the topic unless another client is
    /// given.
    nonisolated func publish(
        _ topic: String, _ payload: String, _ arguments: [String] = [], as client: Client? = nil
    ) async throws {
        let file = "\(directory)/payload-\(UUID())"
        try Data(payload.utf8).write(to: URL(fileURLWithPath: file))
        let client = try #require(client ?? Client(owning: topic))
        _ = try await Program.succeed(
            "mosquitto_pub",
            try await credentials(client) + ["-q", "1", "-t", topic, "-f", file] + arguments)
    }

    /// Runs `mosquitto_rr`.
    ///
    /// - Returns: the reply.
    nonisolated func ask(
        _ user: String, _ method: String, _ payload: String = "{}"
    ) async throws -> JSON {
        let device = Topic.device(user)
        let reply = try await Program.succeed(
            "mosquitto_rr",
            try await credentials(.device(user)) + [
                "-V", "5", "-q", "1", "-t", "\(device)/requests/\(method)",
                "-e", "\(device)/replies/\(UUID())", "-m", payload, "-W", "25",
            ])
        return JSON(parsing: reply)
    }

    /// - Returns: the reply's result; fails if there is none.
    @discardableResult
    nonisolated func done(
        _ user: String, _ method: String, _ payload: String = "{}"
    ) async throws -> JSON {
        let reply = try await ask(user, method, payload)
        try #require(reply["result"] != .null, "\(method) \(payload): \(reply)")
        return reply["result"]
    }

    /// Returns when it has received everything retained on the topics, and is subscribed.
    func listen(_ arguments: [String] = [], as client: Client, to filters: String...)
        async throws -> Listener
    {
        let credentials = try await credentials(client)
        let listener = Listener(credentials + arguments, to: filters)
        listeners.append(listener)
        try await listener.ready()
        return listener
    }

    /// A phone that stays connected and has a will, which the broker publishes if it is killed.
    func phone(of user: String) async throws -> Listener {
        let device = Topic.device(user)
        let phone = try await listen(
            [
                "-i", "\(user).phone", "--will-topic", "\(device)/status", "--will-payload",
                "offline", "--will-qos", "1", "--will-retain",
            ], as: .device(user),
            to: "\(device)/replies/#", "\(device)/rejected", "\(device)/stored",
            "kith/users/\(user)/notices", "kith/users/\(user)/groups")
        try await publish("\(device)/status", "online", ["-r"])
        return phone
    }
}

/// Runs `body` with a broker, and data for a bridge that is not started yet.
///
/// - Parameter settings: environment variables for every `kith`.
func withInstallation(
    _ settings: [String: String] = [:], _ body: (Installation) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let data = directory + "/data"
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true)
        let gate = """

            plugin \(Program.gate)
            plugin_opt_database \(data)/kith.db

            """
        try await withBroker(changing: { $0 + gate }) { broker in
            let installation = Installation(broker, data, settings)
            do {
                try await body(installation)
                await installation.end()
            } catch {
                await installation.end()
                throw error
            }
        }
    }
}

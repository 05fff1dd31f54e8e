import Foundation
import GRDB
import Synchronization
import TestBroker
import TestSupport
import Testing

/// A broker with the gate in it, `kith serve` and their data, for one test.
actor Installation {
    nonisolated let broker: TestBroker
    nonisolated let directory: String
    private nonisolated let tokens = Mutex<[String: String]>([:])
    private nonisolated let settings: [String: String]
    private var bridge: RunningProgram?
    private var listeners: [Listener] = []

    nonisolated var port: UInt16 { broker.port }
    /// With which `kith` runs here.
    nonisolated var environment: [String: String] { settings }

    /// No password here is worth more than a moment's guessing; the usual cost takes
    /// seconds in a debug build.
    ///
    /// The free disk space of the machine that runs the tests is ignored.
    private static let usual = [
        "KITH_ACCOUNTS_PASSWORD_COST": "10", "KITH_DISK_RESERVE": "0", "KITH_DISK_WARN_BELOW": "0",
    ]

    init(_ broker: TestBroker, _ directory: String, _ settings: [String: String]) {
        self.broker = broker
        self.directory = directory
        self.settings = Installation.usual.merging(settings) { $1 }
            .merging(["KITH_BROKER_PORT": "\(broker.port)"]) { $1 }
    }

    // MARK: The bridge

    /// Returns when it receives from the broker.
    func start() async throws {
        try await connected(launch(), since: 0)
    }

    /// Returns immediately.
    @discardableResult
    func launch() -> RunningProgram {
        let bridge = RunningProgram(
            Program.kith, ["serve", "--data", directory], environment: settings)
        self.bridge = bridge
        return bridge
    }

    /// What the bridge has written so far.
    var log: [String] { bridge?.lines ?? [] }
    /// How the bridge has ended, if it has.
    var ending: String? { bridge?.ending }
    var processIdentifier: pid_t? { bridge?.processIdentifier }

    /// Ends it like a power cut. Returns when it is gone.
    func crash() async {
        await bridge?.kill()
        bridge = nil
    }

    /// Ends the broker like a power cut, and starts it again with what it had saved. Returns when
    /// the bridge receives from it.
    func crashBroker() async throws {
        let bridge = try #require(bridge)
        let start = bridge.lines.count
        await broker.kill()
        try await startBroker()
        try await connected(bridge, since: start)
    }

    /// With what it had saved.
    nonisolated func startBroker() async throws {
        try await broker.start()
    }

    /// The bridge's, read beside it.
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
    /// - Returns: what it printed.
    @discardableResult
    nonisolated func kith(_ arguments: String...) async throws -> String {
        try await kith(arguments)
    }

    @discardableResult
    nonisolated func kith(_ arguments: [String]) async throws -> String {
        try Program.beginData(directory)
        return try await Program.succeed(
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
        case .bridge, .operator, .dispatch, .metrics:
            let name = "\(client)"
            let token = try String(contentsOfFile: "\(directory)/tokens/\(name)", encoding: .utf8)
            return ["-p", "\(port)", "-u", "kith:\(name)", "-P", token.trimmed]
        case .service(let name):
            let token = try #require(tokens.withLock { $0["service:\(name)"] })
            return [
                "-p", "\(port)", "-u", "service:\(name)", "-P", token, "-i",
                "service:\(name).\(UUID())",
            ]
        case .device(let user, let device):
            return ["-p", "\(port)", "-u", user, "-P", try await token(user, device)]
        }
    }

    /// The device's token, made by the operator at the first request.
    nonisolated func token(_ user: String, _ device: String = "phone") async throws -> String {
        let key = "\(user).\(device)"
        if let known = tokens.withLock({ $0[key] }) { return known }
        let token = try await kith("user", "token", user, device).trimmed
        tokens.withLock { $0[key] = token }
        return token
    }

    /// Has people use the tokens here that they have there.
    nonisolated func useTokens(of other: Installation) {
        let known = other.tokens.withLock { $0 }
        tokens.withLock { $0.merge(known) { $1 } }
    }

    /// Has Acme, which registers at the first time, make a service.
    nonisolated func makeService(_ name: String) async throws {
        let guest = UUID().uuidString
        _ = try await Program.succeed(
            "mosquitto_rr",
            ["-p", "\(port)", "-V", "5", "-q", "1", "-W", "25", "-i", guest]
                + ["-t", "kith/guests/\(guest)/requests/thirdparty.register"]
                + ["-e", "kith/guests/\(guest)/replies", "-m"]
                + [
                    #"{"company":"Acme","email":"acme@example.org","#
                        + #""password":"correct horse acme","acceptTerms":true}"#
                ])
        try await kith("user", "confirm", "acme")
        let made = try await done(
            "acme", "service.create",
            #"{"service":"\#(name)","name":"\#(name)","description":"For a test."}"#)
        keep(try #require(made["token"].text), of: name)
    }

    /// The token that the service uses from now on.
    nonisolated func keep(_ token: String, of service: String) {
        tokens.withLock { $0["service:\(service)"] = token }
    }

    /// `mosquitto_rr` as a service's program.
    ///
    /// - Returns: the reply.
    nonisolated func askAsService(
        _ name: String, _ method: String, _ payload: String = "{}"
    ) async throws -> JSON {
        let topic = "kith/services/\(name)"
        let reply = try await Program.succeed(
            "mosquitto_rr",
            try await credentials(.service(name)) + [
                "-V", "5", "-q", "1", "-t", "\(topic)/requests/\(method)",
                "-e", "\(topic)/replies/\(UUID())", "-m", payload, "-W", "25",
            ])
        return JSON(parsing: reply)
    }

    /// The user's phone gets the token in the configuration that its app imports.
    nonisolated func setUpOwnTracks(_ user: String) async throws {
        let file = try await kith(
            "user", "token", user, "phone", "--owntracks", "--host", "127.0.0.1")
        let token = try #require(JSON(parsing: file)["password"].text)
        tokens.withLock { $0["\(user).phone"] = token }
    }

    /// `mosquitto_pub` with QoS 1, by the device that the topic names unless another is given.
    nonisolated func publish(
        _ topic: String, _ payload: String, _ arguments: [String] = [], as client: Client? = nil
    ) async throws {
        // Beside the data, whose disk may be full.
        let file = "\(directory)-payload-\(UUID())"
        try Data(payload.utf8).write(to: URL(fileURLWithPath: file))
        let client = try #require(client ?? Client(owning: topic))
        _ = try await Program.succeed(
            "mosquitto_pub",
            try await credentials(client) + ["-q", "1", "-t", topic, "-f", file] + arguments)
    }

    /// `mosquitto_rr`.
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

    /// Returns when it has all retained messages on the topics, and receives new ones.
    func listen(_ arguments: [String] = [], as client: Client, to filters: String...)
        async throws -> Listener
    {
        let credentials = try await credentials(client)
        let own = client.ownTopic
        let listener = Listener(credentials + arguments, to: filters, own: own) { topic, payload in
            try await self.publish(topic, payload, as: .bridge)
        }
        listeners.append(listener)
        try await listener.ready()
        return listener
    }

    /// A phone that keeps its connection, whose death the broker reports. Killed, it is dead.
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
/// - Parameter database: nil: SQLite, in the data directory.
func withInstallation(
    _ settings: [String: String] = [:], on database: TestDatabase? = nil,
    _ body: (Installation) async throws -> Void
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
            let server = database?.uri.map { ["KITH_DATABASE": $0] } ?? [:]
            let installation = Installation(broker, data, settings.merging(server) { $1 })
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

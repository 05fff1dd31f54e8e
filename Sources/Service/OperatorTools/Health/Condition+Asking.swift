public import Bridge
internal import Contract
internal import Foundation
internal import Glibc
internal import JSON
internal import MQTT
internal import Tracking

extension Condition.Broker {
    /// How long the broker may take to admit a client, and to send retained messages.
    private static let patience = Duration.seconds(1)
    /// How long the bridge may take to answer, as for `/healthz`.
    private static let answering = Duration.seconds(2)

    /// Reads the bridge's last status from the broker, as the operator; then queries the bridge, as
    /// a guest.
    ///
    /// - Parameters:
    ///   - databasePath: the operator's token is beside it; it is read, and sent nowhere else.
    ///   - ports: the ports that phones need.
    ///   - hasBridge: whether a bridge runs, which has to answer.
    public init(
        _ settings: BridgeSettings, besides databasePath: String, ports: [Int], hasBridge: Bool
    ) async {
        let (host, port) = (settings.broker.host, Int(settings.broker.port))
        self.init(
            address: "\(host):\(port)", isReachable: Listening.isSomebody(at: host, port),
            status: nil, reason: nil)
        closedPorts = ports.filter { !Listening.isSomebody(at: "127.0.0.1", $0) }
        (isPluginReplaced, isMosquittoReplaced) = ProcessFiles.replacedFiles(
            ofBrokerAt: port)
        guard isReachable else { return }
        // In parallel with the broker's answer, to avoid waiting for one timeout after another.
        async let answer = hasBridge && Condition.Broker.askBridge(settings)
        do {
            let token = try String(
                contentsOfFile: DatabaseFiles(databasePath).sibling("tokens/operator"),
                encoding: .utf8)
            askBroker(settings, token: token.trimmingCharacters(in: .whitespacesAndNewlines))
        } catch {
            // Only a user who may read the token gets the status, and only once the bridge has
            // connected.
            status = "unknown"
        }
        let answers = await answer
        if hasBridge, !isSilent { bridgeAnswers = answers }
    }

    private mutating func askBroker(_ settings: BridgeSettings, token: String) {
        do throws(MQTTError) {
            let connection = try Condition.Broker.connection(
                settings, "kith:operator.\(getpid())", token: token)
            defer { connection.disconnect() }
            try connection.subscribe(
                to: [settings.topics.string(.systemStatus)], qos: .atMostOnce)
            try connection.release()
            let word = Condition.Broker.retained(on: connection)
            status = word?["status"]?.text
            reason = word?["reason"]?.text
            storesCalls = word?["calls"] == .bool(true)
            otherGate = word?["gate"]?.text
            concerns =
                word?["concerns"]?.elements.compactMap(\.text)
                .compactMap { Concern(rawValue: $0) } ?? []
        } catch {
            refusesOperator = error.refusesCredentials
            isSilent = !refusesOperator
        }
    }

    /// Returns the retained status; nil if the broker retains nothing of a bridge.
    private static func retained(on connection: Connection) -> JSONValue? {
        do throws(MQTTError) {
            return JSONValue(parsing: try connection.next(within: patience).first?.payload ?? [])
        } catch {
            return nil
        }
    }

    /// Returns whether the bridge reports that it has just stored something (`system.health`), even
    /// if it can store only calls for help.
    private static func askBridge(_ settings: BridgeSettings) -> Bool {
        let id = "doctor-\(getpid())"
        guard let client = ClientID(id) else { preconditionFailure("\(id) is a client id") }
        do throws(MQTTError) {
            let connection = try Condition.Broker.connection(settings, id, token: nil)
            defer { connection.disconnect() }
            try connection.subscribe(
                to: [settings.topics.string(.guestReplies(client, suffix: ""))], qos: .atMostOnce)
            try connection.publish(
                topic: settings.topics.string(
                    .guestRequest(client, method: Method.health.name)),
                payload: Array("{}".utf8), qos: .atLeastOnce)
            try connection.release()
            let reply = try connection.next(within: answering).first
            let result = JSONValue(parsing: reply?.payload ?? [])?["result"]
            return result?["storing"] == .bool(true) || result?["calls"] == .bool(true)
        } catch {
            return false
        }
    }

    /// Returns an open connection.
    ///
    /// - Parameter token: the operator's; nil for a guest's connection.
    private static func connection(_ settings: BridgeSettings, _ id: String, token: String?)
        throws(MQTTError) -> Connection
    {
        var options = ConnectionOptions(
            host: settings.broker.host, port: settings.broker.port, clientID: id)
        if let token { (options.username, options.password) = ("kith:operator", token) }
        options.tls = settings.broker.tls
        let connection = try Connection(options)
        try connection.open(within: patience)
        return connection
    }
}

extension Condition.Machine {
    /// - Parameters:
    ///   - needsMosquitto: whether the broker is to run here.
    ///   - plugin: its path; nil if it is missing.
    ///   - loads: whether Mosquitto is to load it, which takes a while.
    public init(needsMosquitto: Bool, plugin: String?, loads: Bool) {
        let output = Tool.run("mosquitto", ["-h"])?.output ?? ""
        defer { pluginFault = !loads ? nil : plugin.flatMap { Condition.Machine.fault(of: $0) } }
        let version = output.firstMatch(of: /mosquitto version ([0-9.]+)/)
        self.init(
            isClockSynchronised: KernelClock.isSynchronised,
            mosquitto: version.map { String($0.1) },
            needsMosquitto: needsMosquitto, plugin: plugin)
    }

    /// Makes Mosquitto load the plugin, which ends immediately for lack of a database: the output
    /// before that shows why it cannot be loaded.
    ///
    /// - Returns: nil if it loads, or that is unknown.
    private static func fault(of plugin: String) -> String? {
        guard let mosquitto = Tool.path(of: "mosquitto") else { return nil }
        let file = FileManager.default.temporaryDirectory.appending(
            path: "kith-doctor-\(UUID().uuidString).conf")
        defer { unlink(file.path) }
        let lines = ["listener 0 \(file.path).sock", "log_dest stdout", "plugin \(plugin)"]
        do { try Data(lines.joined(separator: "\n").utf8).write(to: file) } catch { return nil }
        let output = Tool.run("timeout", ["2", mosquitto, "-c", file.path])?.output ?? ""
        if let match = output.firstMatch(of: /undefined symbol: ([A-Za-z0-9_]+)/) {
            return "missing \(match.1)"
        }
        // Load error: /usr/lib/kith/libKithGate.so: file too short
        return output.firstMatch(of: /Load error: .*: (.+)/).map { String($0.1) }
    }
}

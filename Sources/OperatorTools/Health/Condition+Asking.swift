public import Bridge
internal import CMalloc
internal import Contract
internal import Foundation
internal import Glibc
internal import JSON
internal import MQTT
internal import Tracking

extension Condition.Broker {
    /// How long the broker may take to say what is retained.
    private static let patience = Duration.seconds(3)

    /// Asks the broker what the bridge has said last, as the operator.
    ///
    /// - Parameters:
    ///   - databasePath: the operator's token lies beside it; it is read, and goes nowhere else.
    ///   - ports: those that phones need.
    public init(_ settings: BridgeSettings, besides databasePath: String, ports: [Int]) {
        let (host, port) = (settings.broker.host, Int(settings.broker.port))
        self.init(
            address: "\(host):\(port)", isReachable: Listening.isSomebody(at: host, port),
            status: nil, reason: nil)
        closedPorts = ports.filter { !Listening.isSomebody(at: "127.0.0.1", $0) }
        isPluginReplaced = ProcessFiles.isPluginReplaced
        guard isReachable else { return }
        do {
            let token = try String(
                contentsOfFile: DatabaseFiles(databasePath).sibling("tokens/operator"),
                encoding: .utf8)
            let word = try Condition.Broker.ask(
                settings, token: token.trimmingCharacters(in: .whitespacesAndNewlines))
            status = word["status"]?.text
            reason = word["reason"]?.text
        } catch {
            // Only who may read the token learns it, and only once the bridge has come.
            status = "unknown"
        }
    }

    private static func ask(_ settings: BridgeSettings, token: String) throws -> JSONValue {
        var options = ConnectionOptions(
            host: settings.broker.host, port: settings.broker.port,
            clientID: "kith:operator.\(getpid())")
        options.username = "kith:operator"
        options.password = token
        options.tls = settings.broker.tls
        let connection = try Connection(options)
        try connection.open()
        try connection.subscribe(
            to: [settings.topics.string(.systemStatus)], qos: .atMostOnce)
        try connection.release()
        let message = try connection.next(within: patience).first
        connection.disconnect()
        try connection.release()
        return try JSONValue.parse(message?.payload ?? [])
    }
}

extension Condition.Machine {
    /// - Parameters:
    ///   - needsMosquitto: whether the broker is to run here.
    ///   - plugin: where it is; nil if it is not there.
    public init(needsMosquitto: Bool, plugin: String?) {
        let output = Tool.run("mosquitto", ["-h"])?.output ?? ""
        let version = output.firstMatch(of: /mosquitto version ([0-9.]+)/)
        self.init(
            isClockSynchronised: Condition.Machine.clock(), mosquitto: version.map { String($0.1) },
            needsMosquitto: needsMosquitto, plugin: plugin)
    }

    /// As the kernel knows it (`adjtimex(2)`).
    private static func clock() -> Bool? {
        var state = timex()
        let answer = adjtimex(&state)
        return answer < 0 ? nil : answer != TIME_ERROR && state.status & STA_UNSYNC == 0
    }
}

extension Condition.Certificate {
    /// Nil if there is none, or it cannot be read.
    ///
    /// - Parameter path: of the file (PEM).
    public init?(_ path: String) {
        guard access(path, R_OK) == 0,
            let answer = Tool.run(
                "openssl", ["x509", "-in", path, "-noout", "-enddate", "-ext", "subjectAltName"]),
            answer.status == 0
        else { return nil }
        self.init(openSSL: answer.output)
    }

    /// - Parameter text: `notAfter=Nov 24 10:00:00 2027 GMT`, and the names.
    init?(openSSL text: String) {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "MMM d HH:mm:ss yyyy zzz"
        guard let end = text.firstMatch(of: /notAfter=(.+)/).map({ String($0.1) }),
            let date = formatter.date(from: end.split(separator: " ").joined(separator: " "))
        else { return nil }
        let names = text.matches(of: /(?:DNS|IP Address):([^,\s]+)/).map { String($0.1) }
        self.init(
            names: names,
            endsAt: Timestamp(milliseconds: Int64(date.timeIntervalSince1970) * 1000))
    }
}

/// Programs that are asked something.
enum Tool {
    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Nil if there is no such program in `PATH` or in Debian's directories for the operator.
    static func run(_ program: String, _ arguments: [String]) -> (status: Int32, output: String)? {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let folders = places.map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"]
        guard
            let path = folders.map({ "\($0)/\(program)" }).first(where: isProgram)
        else { return nil }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

public import Configuration
internal import Contract
internal import MQTT
internal import Tracking

extension BridgeSettings {
    /// Every key can be set in the configuration file, or as an environment variable: `a.bC` is
    /// `KITH_A_B_C`. `docs/configuration.md` says what each means.
    ///
    /// - Throws: ``SettingsError`` with everything that cannot be accepted.
    public init(_ config: ConfigReader) throws(SettingsError) {
        self.init()
        var reader = SettingsReader(config)
        topics = TopicSpace(root: reader.string("topics.root", topics.root))

        rules.arrivalRadius = reader.metres("tracking.arrivalRadius", rules.arrivalRadius)
        rules.stuckRadius = reader.metres("tracking.stuckRadius", rules.stuckRadius)
        rules.stuckAfter = reader.seconds("tracking.stuckAfter", rules.stuckAfter)
        rules.offlineAfter = reader.seconds("tracking.offlineAfter", rules.offlineAfter)
        rules.silentAfter = reader.seconds("tracking.silentAfter", rules.silentAfter)
        rules.backfillAge = reader.seconds("tracking.backfillAge", rules.backfillAge)
        rules.repeatAfter = reader.seconds("escalation.repeatAfter", rules.repeatAfter)
        rules.repeatAtMost = reader.integer("escalation.repeatAtMost", rules.repeatAtMost, 0...1000)

        rules.remindAfter = reader.days(
            "sharing.remindAfter", rules.remindAfter, in: 0...36_500)
        limits.retention = reader.days("retention.fixes", limits.retention)
        retention.sosPath = reader.days("retention.sosPath", retention.sosPath)
        retention.alerts = reader.days("retention.alerts", retention.alerts)
        retention.chat = reader.days("retention.chat", retention.chat)

        accounts.passwordCost = reader.integer(
            "accounts.passwordCost", accounts.passwordCost, PasswordHash.Cost.lnRange)

        broker.host = reader.string("broker.host", broker.host)
        broker.port = Int32(reader.integer("broker.port", Int(broker.port), 1...65535))
        broker.clientID = reader.string("broker.clientId", broker.clientID)
        broker.username = reader.string(ifPresent: "broker.username")
        broker.password = reader.string(ifPresent: "broker.password", isSecret: true)
        broker.hasGate = reader.bool("broker.hasGate", broker.hasGate)
        broker.autosaveInterval = reader.seconds(
            "broker.autosaveInterval", broker.autosaveInterval)
        if reader.bool("broker.tls", false) {
            broker.tls = ConnectionOptions.TLS(
                authorities: reader.string(ifPresent: "broker.tlsAuthorities"),
                certificate: reader.string(ifPresent: "broker.tlsCertificate"),
                key: reader.string(ifPresent: "broker.tlsKey"))
        }
        try reader.check()
    }

    /// Every key there is.
    public static let keys: Set<String> = [
        "topics.root", "tracking.arrivalRadius", "tracking.stuckRadius", "tracking.stuckAfter",
        "tracking.offlineAfter", "tracking.silentAfter", "tracking.backfillAge",
        "escalation.repeatAfter", "escalation.repeatAtMost", "sharing.remindAfter",
        "retention.fixes", "retention.sosPath", "retention.alerts", "retention.chat",
        "accounts.passwordCost", "broker.hasGate", "broker.autosaveInterval", "broker.host",
        "broker.port", "broker.clientId",
        "broker.username", "broker.password", "broker.tls", "broker.tlsAuthorities",
        "broker.tlsCertificate", "broker.tlsKey",
    ]
}

/// What is wrong with a configuration, key by key. Values are not repeated: they may be secret.
public struct SettingsError: Error, CustomStringConvertible, Sendable {
    public let reasons: [String]
    public init(reasons: [String]) { self.reasons = reasons }
    public var description: String { reasons.joined(separator: " ") }
}

/// Reads keys with their bounds and remembers everything that is wrong.
private struct SettingsReader {
    private let config: ConfigReader
    private var reasons: [String] = []

    init(_ config: ConfigReader) { self.config = config }

    func check() throws(SettingsError) {
        if !reasons.isEmpty { throw SettingsError(reasons: reasons) }
    }

    mutating func string(_ key: String, _ usual: String) -> String {
        string(ifPresent: key) ?? usual
    }

    mutating func string(ifPresent key: String, isSecret: Bool = false) -> String? {
        let text = config.string(forKey: ConfigKey(key), isSecret: isSecret)
        if text == "" { reasons.append("\(key) must not be empty.") }
        return text
    }

    mutating func bool(_ key: String, _ usual: Bool) -> Bool {
        guard isPresent(key) else { return usual }
        if let value = config.bool(forKey: ConfigKey(key)) { return value }
        reasons.append("\(key) must be true or false.")
        return usual
    }

    mutating func integer(_ key: String, _ usual: Int, _ range: ClosedRange<Int>) -> Int {
        guard isPresent(key) else { return usual }
        if let value = config.int(forKey: ConfigKey(key)), range.contains(value) { return value }
        reasons.append(
            "\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound).")
        return usual
    }

    mutating func metres(_ key: String, _ usual: Double) -> Double {
        number(key, usual, 1...100_000, "metres")
    }

    mutating func seconds(_ key: String, _ usual: Duration) -> Duration {
        let value = number(key, Double(usual.milliseconds) / 1000, 1...86_400, "seconds")
        return .milliseconds(Int64(value * 1000))
    }

    mutating func days(
        _ key: String, _ usual: Duration, in range: ClosedRange<Double> = 1...36_500
    ) -> Duration {
        let value = number(key, Double(usual.milliseconds) / 86_400_000, range, "days")
        return .milliseconds(Int64(value * 86_400_000))
    }

    private mutating func number(
        _ key: String, _ usual: Double, _ range: ClosedRange<Double>, _ unit: String
    ) -> Double {
        guard isPresent(key) else { return usual }
        if let value = config.double(forKey: ConfigKey(key)), range.contains(value) {
            return value
        }
        let (low, high) = (Int(range.lowerBound), Int(range.upperBound))
        reasons.append("\(key) must be a number of \(unit) from \(low) to \(high).")
        return usual
    }

    /// Every scalar can be read as text, whatever it says.
    private func isPresent(_ key: String) -> Bool { config.string(forKey: ConfigKey(key)) != nil }
}

internal import Contract
public import Schedules
internal import Settings
public import Transfer

/// How the operator is notified. `docs/configuration.md` lists the keys.
public struct OperatorSettings: Sendable {
    /// An address, for the installation's mail server.
    public var mail: String?
    /// Receives plain text by POST, as ntfy and many chats accept it.
    public var webhook: Endpoint?
    /// Requested (GET) every minute while the bridge serves and stores, so that a service there
    /// notices missing requests.
    public var heartbeat: Endpoint?

    /// The time of the daily message that Kith works, in the machine's time zone; nil: never.
    public var daily: TimeOfDay?

    public init(mail: String? = nil) { self.mail = mail }

    init(_ reader: inout SettingsReader) {
        mail = reader.value("operator.mail", nil, "must be an address") { text in
            do { return .some(try EmailAddress(text).text) } catch { return nil }
        }
        daily = reader.value("operator.daily", nil, "must be a time of day, such as 08:00") {
            TimeOfDay($0).map { .some($0) }
        }
        for (key, path) in [
            ("operator.webhook", \OperatorSettings.webhook),
            ("operator.heartbeat", \OperatorSettings.heartbeat),
        ] {
            self[keyPath: path] = reader.value(
                key, nil, "must be an address that begins with https:// or http://",
                isSecret: true
            ) { text in
                do { return .some(try Endpoint(text)) } catch { return nil }
            }
        }
    }
}

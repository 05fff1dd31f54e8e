internal import Logging

/// Filters the lines of Mosquitto's log that go into ours: none that names a client, each once a
/// minute, and a limited number per minute, since anyone who can connect can cause them.
struct BrokerLog {
    struct Entry: Hashable {
        let level: Logger.Level
        let text: String
    }

    private var minute: ContinuousClock.Instant?
    private var lines: Set<String> = []
    private var leftOut = 0

    static let linesAMinute = 100

    /// - Parameter text: a line without its time.
    mutating func take(_ text: some StringProtocol, at now: ContinuousClock.Instant) -> [Entry] {
        var entries: [Entry] = []
        if minute.map({ now - $0 >= .seconds(60) }) ?? true {
            if leftOut > 0 {
                entries.append(
                    Entry(
                        level: .warning, text: "\(leftOut) lines of mosquitto's log were omitted"))
            }
            (minute, lines, leftOut) = (now, [], 0)
        }
        guard lines.count < BrokerLog.linesAMinute, !BrokerLog.namesClient(text),
            lines.insert(String(text)).inserted
        else {
            leftOut += 1
            return entries
        }
        entries.append(Entry(level: BrokerLog.level(of: text), text: String(text)))
        return entries
    }

    private static func level(of text: some StringProtocol) -> Logger.Level {
        if text.hasPrefix("Error") { return .error }
        return text.hasPrefix("Warning") ? .warning : .notice
    }

    /// Whether this is the only `log_type error` line that a client can cause and that contains its
    /// id. By bytes: with an id that begins with a combining mark the space is another character.
    private static func namesClient(_ text: some StringProtocol) -> Bool {
        text.utf8.starts(with: "Protocol error from ".utf8)
    }
}

internal import Logging

/// What of Mosquitto's log goes into ours: not what names a client, and so many lines a minute,
/// since whoever can connect can cause them.
struct BrokerLog {
    struct Entry: Hashable {
        let level: Logger.Level
        let text: String
    }

    private var minute: ContinuousClock.Instant?
    private var lines = 0
    private var leftOut = 0

    static let linesAMinute = 100

    /// - Parameter text: without the time.
    mutating func take(_ text: some StringProtocol, at now: ContinuousClock.Instant) -> [Entry] {
        var entries: [Entry] = []
        if minute.map({ now - $0 >= .seconds(60) }) ?? true {
            if leftOut > 0 {
                entries.append(Entry(level: .warning, text: "\(leftOut) lines were left out"))
            }
            (minute, lines, leftOut) = (now, 0, 0)
        }
        guard lines < BrokerLog.linesAMinute, !BrokerLog.namesClient(text) else {
            leftOut += 1
            return entries
        }
        lines += 1
        entries.append(Entry(level: BrokerLog.level(of: text), text: String(text)))
        return entries
    }

    private static func level(of text: some StringProtocol) -> Logger.Level {
        if text.hasPrefix("Error") { return .error }
        return text.hasPrefix("Warning") ? .warning : .notice
    }

    /// The one line of `log_type error` that a client can cause and that has its id in it.
    private static func namesClient(_ text: some StringProtocol) -> Bool {
        text.hasPrefix("Protocol error from ")
    }
}

/// What was refused since the last line in the log, in numbers alone.
struct Refusals {
    var connections = 0
    var messages = 0
    var subscriptions = 0
    /// Connections that are to come again later.
    var turnedAway = 0
    private var lastLine: Duration?

    private static let interval = Duration.seconds(60)

    /// A line for the log, at most one a minute; nil where there is nothing to say.
    mutating func line(at now: Duration) -> String? {
        if let lastLine, now - lastLine < Refusals.interval { return nil }
        guard connections + messages + subscriptions + turnedAway > 0 else { return nil }
        defer { self = Refusals(lastLine: now) }
        let later = turnedAway > 0 ? " Put off \(turnedAway) connections." : ""
        return "kith: refused \(connections) connections, \(messages) messages and "
            + "\(subscriptions) subscriptions.\(later)"
    }

    init() {}
    private init(lastLine: Duration) { self.lastLine = lastLine }
}

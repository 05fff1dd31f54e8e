internal import Numbers

/// Counts of refused, deferred and dropped connections and messages, reported as metrics and in the
/// log.
struct Refusals {
    var connections = 0
    var messages = 0
    var subscriptions = 0
    /// Connections that should try again later.
    var turnedAway = 0
    /// Connections closed because they sent far more than their allowance.
    var cutOff = 0
    /// The same for bytes not shown by callbacks.
    var floods = 0
    /// Connections closed because too much was queued for them.
    var slowReaders = 0
    /// The number of pauses of connections, and their total duration.
    var pauses = 0
    var paused = Duration.zero
    /// Refused messages that were not reported to the device.
    var untold = 0
    /// Connections with an invalid client id, or another user's.
    var clientIDs = 0
    /// Connections closed before they sent a CONNECT.
    var pending = 0
    /// Messages of any kind that are too large.
    var large = 0
    /// Deliveries of packets larger than the client accepts.
    var untaken = 0
    /// Guests that should try again because all places are taken, …
    var guestsPutOff = 0
    /// … and guests that made room for others.
    var guestsEnded = 0
    /// Connections that requested a persistent session under an id that does not permit one.
    var sessions = 0
    /// Holds that ended without a commit: the bridge was away, or behind.
    var holdsEnded = 0
    /// Holds that failed, since the client's socket was not found.
    var unheld = 0
    /// Messages not queued for an offline client, because its queue was full.
    var waiting = 0

    private var lastLine: Duration?
    private var inLastLine: [Int] = [0, 0, 0, 0, 0]
    private var lastReport: Duration?
    private var reported: [String: Int] = [:]

    private static let lineInterval = Duration.seconds(60)
    private static let reportInterval = Duration.seconds(10)

    /// A line for the log, at most one per minute; nil if there is nothing to report.
    mutating func line(at now: Duration) -> String? {
        if let lastLine, now - lastLine < Refusals.lineInterval { return nil }
        let counts = [
            connections + clientIDs + sessions, messages + large, subscriptions,
            turnedAway + cutOff + floods + slowReaders + guestsPutOff + guestsEnded
                + pending, clientIDs,
        ]
        let news = zip(counts, inLastLine).map { $0 - $1 }
        guard news.contains(where: { $0 > 0 }) else { return nil }
        (lastLine, inLastLine) = (now, counts)
        let later = news[3] > 0 ? " Closed or postponed \(news[3]) connections." : ""
        let ids = news[4] > 0 ? " (\(news[4]) for their client id)" : ""
        return "kith: refused \(news[0]) connections\(ids), \(news[1]) messages and "
            + "\(news[2]) subscriptions.\(later)"
    }

    /// The counts since the broker's start, by metric name.
    var metrics: [(name: String, value: Int)] {
        [
            ("gate-connections-put-off", turnedAway), ("gate-connections-refused", connections),
            ("gate-floods-cut-off", floods), ("gate-guests-ended", guestsEnded),
            ("gate-guests-put-off", guestsPutOff), ("gate-holds-ended", holdsEnded),
            ("gate-ids-refused", clientIDs),
            ("gate-messages-cut-off", cutOff), ("gate-messages-large", large),
            ("gate-messages-not-waiting", waiting), ("gate-messages-refused", messages),
            ("gate-messages-untaken", untaken), ("gate-pauses", pauses),
            ("gate-pauses-seconds", Int(clamping: paused / .seconds(1))),
            ("gate-pending-ended", pending),
            ("gate-readers-cut-off", slowReaders), ("gate-rejections-untold", untold),
            ("gate-sessions-refused", sessions), ("gate-subscriptions-refused", subscriptions),
            ("gate-unheld", unheld),
        ]
    }

    /// Returns the metrics that have changed, every ten seconds; all of them the first time.
    ///
    /// - Parameters:
    ///   - connected: the number of current connections.
    ///   - paused: the number of these that are paused.
    ///   - held: the number of these whose acknowledgements are held.
    ///   - others: further metrics to report.
    mutating func report(
        at now: Duration, connected: Int, paused: Int, held: Int = 0,
        others: () -> [String: Int64] = { [:] }
    ) -> [(name: String, value: Int)] {
        let last = lastReport ?? now
        lastReport = last
        guard now - last >= Refusals.reportInterval else { return [] }
        lastReport = now
        let all =
            metrics + [
                ("gate-connections", connected), ("gate-held", held), ("gate-paused", paused),
            ]
            + others().sorted { $0.key < $1.key }.map { ($0.key, Int(clamping: $0.value)) }
        let news = all.filter { reported[$0.name] != $0.value }
        for (name, value) in news { reported[name] = value }
        return news
    }
}

/// What was refused, put off or forgotten, in numbers alone: told as metrics, and in the log.
struct Refusals {
    var connections = 0
    var messages = 0
    var subscriptions = 0
    /// Connections that are to come again later.
    var turnedAway = 0
    /// Connections ended because they sent far more than their allowance.
    var cutOff = 0
    /// The same of what no callback shows.
    var floods = 0
    /// Connections ended because too much waited for them.
    var slowReaders = 0
    /// How often a connection was paused, and for how long in all.
    var pauses = 0
    var paused = Duration.zero
    /// Refused messages of which the device was not told.
    var untold = 0
    /// Connections with a client id that is another's, or none.
    var clientIDs = 0
    /// Connections ended before they said who they are.
    var speechless = 0
    /// Messages that are too large, whatever they are.
    var large = 0
    /// Guests who are to come again, because all places are taken, …
    var guestsPutOff = 0
    /// … and those who made room for others.
    var guestsEnded = 0
    /// Connections that asked for a session that lasts, under an id that is not for one.
    var sessions = 0
    /// Messages that did not wait for somebody who is away, because too much does.
    var waiting = 0

    private var lastLine: Duration?
    private var inLastLine: [Int] = [0, 0, 0, 0, 0]
    private var lastReport: Duration?
    private var reported: [String: Int] = [:]

    private static let lineInterval = Duration.seconds(60)
    private static let reportInterval = Duration.seconds(10)

    /// A line for the log, at most one a minute; nil where there is nothing to say.
    mutating func line(at now: Duration) -> String? {
        if let lastLine, now - lastLine < Refusals.lineInterval { return nil }
        let counts = [
            connections + clientIDs + sessions, messages + large, subscriptions,
            turnedAway + cutOff + floods + slowReaders + guestsPutOff + guestsEnded
                + speechless, clientIDs,
        ]
        let news = zip(counts, inLastLine).map { $0 - $1 }
        guard news.contains(where: { $0 > 0 }) else { return nil }
        (lastLine, inLastLine) = (now, counts)
        let later = news[3] > 0 ? " Put off \(news[3]) connections." : ""
        let ids = news[4] > 0 ? " (\(news[4]) for their client id)" : ""
        return "kith: refused \(news[0]) connections\(ids), \(news[1]) messages and "
            + "\(news[2]) subscriptions.\(later)"
    }

    /// By the names of their metrics, since the broker's start.
    var metrics: [(name: String, value: Int)] {
        [
            ("gate-connections-put-off", turnedAway), ("gate-connections-refused", connections),
            ("gate-floods-cut-off", floods), ("gate-guests-ended", guestsEnded),
            ("gate-guests-put-off", guestsPutOff), ("gate-ids-refused", clientIDs),
            ("gate-messages-cut-off", cutOff), ("gate-messages-large", large),
            ("gate-messages-not-waiting", waiting), ("gate-messages-refused", messages),
            ("gate-pauses", pauses), ("gate-pauses-seconds", Int(paused / .seconds(1))),
            ("gate-readers-cut-off", slowReaders), ("gate-rejections-untold", untold),
            ("gate-sessions-refused", sessions),
            ("gate-speechless-ended", speechless), ("gate-subscriptions-refused", subscriptions),
        ]
    }

    /// The metrics that have changed, every ten seconds; all of them the first time.
    ///
    /// - Parameters:
    ///   - connected: how many are connected now.
    ///   - paused: how many of them are paused.
    mutating func report(at now: Duration, connected: Int, paused: Int)
        -> [(name: String, value: Int)]
    {
        let last = lastReport ?? now
        lastReport = last
        guard now - last >= Refusals.reportInterval else { return [] }
        lastReport = now
        let all = metrics + [("gate-connections", connected), ("gate-paused", paused)]
        let news = all.filter { reported[$0.name] != $0.value }
        for (name, value) in news { reported[name] = value }
        return news
    }
}

internal import Logging
internal import Tracking

/// Empties the database's write-ahead log after deletions, at the start, and once an hour: it
/// contains deleted data until then, however quiet the service is.
///
/// It never blocks and is never waited for: while a program reads an earlier state of the database,
/// it is retried.
struct LogEmptying {
    /// Whether something was deleted since the log was emptied last.
    private var isWanted = false
    /// When it is tried next, and when the hour is over; by the steady clock.
    private var next = Duration.zero
    private var hourly = Duration.zero
    /// When it was first wanted.
    private var since: Duration?
    private var isTold = false
    /// When the log is emptied once more: messages that the broker had yet to save are deleted
    /// later.
    private var again: Duration?

    /// The pause after success, and between attempts.
    static let pause = Duration.seconds(10)
    static let interval = Duration.seconds(3_600)
    /// Longer than the broker takes to save confirmed messages.
    static let afterwards = Duration.seconds(180)
    /// The time after which a warning is logged.
    static let patience = Duration.seconds(600)

    /// To be called in each round.
    ///
    /// - Parameters:
    ///   - hasDeleted: whether something was deleted since the last round.
    ///   - empty: empties part of the log; returns whether it is empty.
    mutating func look(
        at now: Duration, hasDeleted: Bool, _ logger: Logger, empty: () -> Bool
    ) {
        if hasDeleted { again = now + LogEmptying.afterwards }
        let isAgain = again.map { now >= $0 } ?? false
        if hasDeleted || isAgain || now >= hourly { isWanted = true }
        if isAgain { again = nil }
        if now >= hourly { hourly = now + LogEmptying.interval }
        guard isWanted, now >= next else { return }
        let start = since ?? now
        since = start
        guard empty() else {
            // In progress, or prevented by a reader.
            let isBrisk = now - start < LogEmptying.brisk
            next = now + (isBrisk ? LogEmptying.shortPause : LogEmptying.pause)
            guard now - start >= LogEmptying.patience, !isTold else { return }
            isTold = true
            return logger.warning(
                "Deleted data is still in the database's write-ahead log: a program keeps reading an earlier state of the database.",
                metadata: ["minutes": "\((now - start).milliseconds / 60_000)"])
        }
        (isWanted, since, isTold) = (false, nil, false)
        next = now + LogEmptying.pause
    }

    /// The time during which retries have short pauses: moving the log takes no longer.
    private static let brisk = Duration.seconds(2)
    private static let shortPause = Duration.milliseconds(100)
}

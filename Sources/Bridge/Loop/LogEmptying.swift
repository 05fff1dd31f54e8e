internal import Logging
internal import Tracking

/// Empties the database's write-ahead log after something was deleted, at the start, and once an hour: what
/// was deleted stands in it until then, however quiet the service is.
///
/// Nothing waits for it, and it waits for nobody: while a program reads an earlier state of the database, it
/// is tried again.
struct LogEmptying {
    /// Whether something was deleted since the log was emptied last.
    private var isWanted = false
    /// When it is tried next, and when the hour is over; by the steady clock.
    private var next = Duration.zero
    private var hourly = Duration.zero
    /// Since when it has been wanted.
    private var since: Duration?
    private var isTold = false
    /// When it is emptied once more: messages that the broker had yet to save are deleted later.
    private var again: Duration?

    /// Between two that end, and between two attempts.
    static let pause = Duration.seconds(10)
    static let interval = Duration.seconds(3_600)
    /// Longer than the broker takes to save what it has confirmed.
    static let afterwards = Duration.seconds(180)
    /// How long it is tried before the log says so.
    static let patience = Duration.seconds(600)

    /// To be called in each round.
    ///
    /// - Parameters:
    ///   - hasDeleted: whether something was deleted since the last round.
    ///   - empty: does a part of it; returns whether the log is empty.
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
            // Under way, or a reader prevents it.
            let isBrisk = now - start < LogEmptying.brisk
            next = now + (isBrisk ? LogEmptying.shortPause : LogEmptying.pause)
            guard now - start >= LogEmptying.patience, !isTold else { return }
            isTold = true
            return logger.warning(
                "What was deleted still stands in the database's write-ahead log: a program keeps reading an earlier state of the database.",
                metadata: ["minutes": "\((now - start).milliseconds / 60_000)"])
        }
        (isWanted, since, isTold) = (false, nil, false)
        next = now + LogEmptying.pause
    }

    /// How long it is tried with short pauses: moving the log takes no longer.
    private static let brisk = Duration.seconds(2)
    private static let shortPause = Duration.milliseconds(100)
}

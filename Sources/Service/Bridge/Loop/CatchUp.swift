/// The period in which messages arrive that the broker kept while the bridge was away, or from
/// phones that had also lost the broker. No one is reported late or missing during it: proof of the
/// contrary may be among these messages.
struct CatchUp {
    /// When the connection was made, or lost.
    private let begun: Duration
    /// The same for the first of several consecutive connections.
    private let since: Duration

    /// - Parameters:
    ///   - now: the steady clock's time.
    ///   - before: the previous period; an unstable connection does not defer reports for ever.
    init(at now: Duration, after before: CatchUp? = nil) {
        begun = now
        since = before.flatMap { $0.isOver(at: now) ? nil : $0.since } ?? now
    }

    /// - Parameter isQuiet: whether there is a connection, and no message waits.
    func isOver(isQuiet: Bool = false, at now: Duration) -> Bool {
        now >= begun + CatchUp.long || now >= since + CatchUp.longest
            || isQuiet && now >= begun + CatchUp.short
    }

    /// The interval after which deferred work is checked again.
    static let pause = Duration.milliseconds(500)
    /// The time in which phones reconnect.
    private static let short = Duration.seconds(10)
    private static let long = Duration.seconds(30)
    private static let longest = Duration.seconds(60)
}

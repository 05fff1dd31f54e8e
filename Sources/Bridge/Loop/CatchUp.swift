/// The time in which messages come that the broker kept while nobody listened, or phones that had
/// lost it as well. Nobody is reported late or missing meanwhile: what shows that they are not may be
/// among them.
struct CatchUp {
    /// When the connection was made, or lost.
    private let begun: Duration
    /// The same of the first of those that followed each other.
    private let since: Duration

    /// - Parameters:
    ///   - now: by the steady clock.
    ///   - before: what went on before; a connection that comes and goes puts nothing off for ever.
    init(at now: Duration, after before: CatchUp? = nil) {
        begun = now
        since = before.flatMap { $0.isOver(at: now) ? nil : $0.since } ?? now
    }

    /// - Parameter isQuiet: whether there is a connection, and no message waits.
    func isOver(isQuiet: Bool = false, at now: Duration) -> Bool {
        now >= begun + CatchUp.long || now >= since + CatchUp.longest
            || isQuiet && now >= begun + CatchUp.short
    }

    /// Until what had to wait is looked at again.
    static let pause = Duration.milliseconds(500)
    /// Phones come back within it.
    private static let short = Duration.seconds(10)
    private static let long = Duration.seconds(30)
    private static let longest = Duration.seconds(60)
}

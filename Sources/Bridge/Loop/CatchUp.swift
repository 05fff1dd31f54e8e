/// The time in which messages come that the broker kept while nobody listened. Nobody is reported
/// late or missing meanwhile: what shows that they are not may be among them.
struct CatchUp {
    private let begun: Duration

    /// - Parameter now: when the connection was made, by the steady clock.
    init(at now: Duration) { begun = now }

    /// - Parameter isQuiet: whether no message waits.
    func isOver(isQuiet: Bool, at now: Duration) -> Bool {
        now >= begun + CatchUp.longest || isQuiet && now >= begun + CatchUp.shortest
    }

    private static let shortest = Duration.seconds(1)
    private static let longest = Duration.seconds(30)
}

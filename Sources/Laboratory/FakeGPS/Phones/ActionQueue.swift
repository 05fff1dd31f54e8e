/// The requests of a phone in the order of their times, repeated if so configured.
struct ActionQueue {
    private let actions: [Phone.Action]
    private let period: Duration?
    private var index = 0
    /// When the current round began, on the track's clock.
    private var start = Duration.zero

    init(_ phone: Phone) {
        actions = phone.actions.sorted { $0.at < $1.at }
        period = phone.repeatsActionsEvery
        let last = actions.last?.at ?? .zero
        precondition(period.map { $0 > last } ?? true, "a round ends after its last action")
    }

    /// The time of the next one, on the track's clock; nil when all have been made.
    var next: Duration? { index < actions.count ? start + actions[index].at : nil }

    /// Removes the next action and returns it, if it is due.
    ///
    /// - Parameter isDue: whether a time on the track's clock has come.
    mutating func take(_ isDue: (Duration) -> Bool) -> Phone.Action? {
        guard let next, isDue(next) else { return nil }
        defer { advance(isDue) }
        return actions[index]
    }

    /// Advances to the next action. Rounds that ended before they began, as after a machine has
    /// slept, are skipped.
    private mutating func advance(_ isDue: (Duration) -> Bool) {
        index += 1
        guard index == actions.count, let period else { return }
        index = 0
        repeat { start += period } while isDue(start + period)
    }
}

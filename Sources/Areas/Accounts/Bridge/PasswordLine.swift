import DequeModule

/// Passwords that wait to be checked, where a directory knows other ones: those of accounts that have
/// one here come first, so that nobody of theirs waits for people of the directory.
///
/// That tells nobody who has an account here: a password that was wrong is answered when its turn would
/// have come without that.
struct PasswordLine {
    private var first: Deque<PasswordWork> = []
    private var others: Deque<PasswordWork> = []
    /// Those that were not checked yet.
    private var open: Set<UInt64> = []
    private var held: [PasswordOutcome] = []

    mutating func append(_ work: PasswordWork) {
        open.insert(work.id)
        if work.isOfDirectory { others.append(work) } else { first.append(work) }
    }

    mutating func next() -> PasswordWork? { first.popFirst() ?? others.popFirst() }

    /// - Returns: what is to be told now, in the order in which it was asked.
    mutating func finish(_ outcome: PasswordOutcome) -> [PasswordOutcome] {
        open.remove(outcome.work)
        held.append(outcome)
        let earliest = open.min() ?? .max
        let told = held.filter { !$0.asksDirectory || $0.work < earliest }
        held.removeAll { outcome in told.contains { $0.work == outcome.work } }
        return told.sorted { $0.work < $1.work }
    }
}

extension PasswordWork {
    /// Whether the directory alone can know the password: nobody who is meant has one here.
    var isOfDirectory: Bool { otherwise != nil && purpose.target == nil }
}

extension PasswordOutcome {
    /// Whether the directory is asked next.
    var asksDirectory: Bool { otherwise != nil && (!isRight || purpose.target == nil) }
}

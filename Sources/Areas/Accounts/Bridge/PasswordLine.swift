import DequeModule

/// Queue of password checks beside a directory. Accounts with a password here are served first, so
/// that they do not wait for directory users.
///
/// The order does not reveal which accounts exist here: the answer to a wrong password is held
/// until its turn would have come without that priority.
struct PasswordLine {
    private var first: Deque<PasswordWork> = []
    private var others: Deque<PasswordWork> = []
    /// Work not checked yet.
    private var open: Set<UInt64> = []
    private var held: [PasswordOutcome] = []

    mutating func append(_ work: PasswordWork) {
        open.insert(work.id)
        if work.isOfDirectory { others.append(work) } else { first.append(work) }
    }

    mutating func next() -> PasswordWork? { first.popFirst() ?? others.popFirst() }

    /// - Returns: the outcomes to release now, in the order of their requests.
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
    /// Whether only the directory can know the password: the login matches no password here.
    var isOfDirectory: Bool { otherwise != nil && purpose.target == nil }
}

extension PasswordOutcome {
    /// Whether the directory is to be asked next.
    var asksDirectory: Bool { otherwise != nil && (!isRight || purpose.target == nil) }
}

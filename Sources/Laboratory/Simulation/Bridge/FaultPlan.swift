/// The faults planned next for the bridge and its store; each happens once.
struct FaultPlan {
    enum Commit {
        /// Disk full: nothing is written.
        case fails
        /// Everything is written, but the result is lost.
        case failsAfterwards
    }

    /// The point at which the process dies.
    enum Death {
        /// Dies after this many more statements.
        case statement(Int)
        case beforeCommit
        /// Dies before anything is published.
        case afterCommit
        /// Dies after this many more packets have been sent: acknowledgements, then publications.
        case packet(Int)
    }

    var commit: Commit?
    /// The number of statements that still work before one fails.
    var statement: Int?
    /// The number of transactions that will fail to begin.
    var busy = 0
    var death: Death?

    mutating func takeCommit() -> Commit? {
        defer { commit = nil }
        return commit
    }

    mutating func takeBusy() -> Bool {
        guard busy > 0 else { return false }
        busy -= 1
        return true
    }

    /// Whether this statement fails.
    mutating func takeStatement() -> Bool {
        guard let left = statement else { return false }
        statement = left > 0 ? left - 1 : nil
        return left == 0
    }

    /// Whether the process dies before this statement.
    mutating func diesAtStatement() -> Bool {
        guard case .statement(let left) = death else { return false }
        death = left > 0 ? .statement(left - 1) : nil
        return left == 0
    }

    mutating func diesAtPacket() -> Bool {
        guard case .packet(let left) = death else { return false }
        death = left > 0 ? .packet(left - 1) : nil
        return left == 0
    }

    mutating func dies(beforeCommit: Bool) -> Bool {
        switch (death, beforeCommit) {
        case (.beforeCommit, true), (.afterCommit, false):
            death = nil
            return true
        default: return false
        }
    }
}

/// What is to go wrong next in the bridge and its store; each once.
struct FaultPlan {
    enum Commit {
        /// Disk full: nothing is written.
        case fails
        /// The answer gets lost: everything is written.
        case failsAfterwards
    }

    /// Where the process dies.
    enum Death {
        /// Before so many statements more.
        case statement(Int)
        case beforeCommit
        /// Nothing is published yet.
        case afterCommit
        /// Before so many packets more leave: acknowledgements, then publications.
        case packet(Int)
    }

    var commit: Commit?
    /// So many statements more work.
    var statement: Int?
    /// So many transactions cannot begin.
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

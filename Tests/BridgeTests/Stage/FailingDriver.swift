import Store

/// The planned faults.
final class Faults {
    /// The body runs, then the commit fails.
    var failNextCommit = false
    /// The next commit succeeds, but is reported as failed.
    var denyNextCommit = false
    /// The number of transactions that fail to begin after the next failure.
    var busyAfterwards = 0
    /// A text that no row may contain.
    var forbiddenText: String?
    /// Parts of statements that touch a damaged page. After such a statement, SQLite may also
    /// refuse other writes in the transaction; here it does.
    var damaged: [String] = []
    fileprivate var isSpoiled = false
    /// The number of statements that still work before all fail.
    var statementsLeft: Int?
    private(set) var failures = 0

    fileprivate func takeCommitFailure() -> Bool {
        defer { failNextCommit = false }
        return failNextCommit
    }

    fileprivate func takeDenial() -> Bool {
        defer { denyNextCommit = false }
        return denyNextCommit
    }

    fileprivate func takeBusy() -> Bool {
        guard failures > 0, busyAfterwards > 0 else { return false }
        busyAfterwards -= 1
        return true
    }

    fileprivate func noteFailure() { failures += 1 }
}

/// A database that fails on demand, and is otherwise SQLite.
final class FailingDriver: Driver {
    private let real: any Driver
    private let faults: Faults

    init(_ real: any Driver, _ faults: Faults) {
        self.real = real
        self.faults = faults
    }

    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        if faults.takeBusy() { throw StoreError(.begin, code: 5, reason: "database is locked") }
        let faults = faults
        faults.isSpoiled = false
        let value = try real.transaction { () throws(StoreError) in
            let value = try body()
            if faults.takeCommitFailure() {
                faults.noteFailure()
                throw StoreError(.commit, code: 13, reason: "database or disk is full")
            }
            return value
        }
        if faults.takeDenial() { throw StoreError(.commit, code: 10, reason: "disk I/O error") }
        return value
    }

    func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int {
        try check(sql, values)
        return try real.execute(sql, values, isCounted: isCounted)
    }

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        try check(sql, values)
        try real.query(sql, values, read)
    }

    private func check(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        faults.isSpoiled = faults.isSpoiled || faults.damaged.contains(where: sql.contains)
        if faults.isSpoiled {
            throw StoreError(.execute, code: 11, reason: "database disk image is malformed")
        }
        if let left = faults.statementsLeft {
            guard left > 0 else { throw StoreError(.execute, code: 10, reason: "disk I/O error") }
            faults.statementsLeft = left - 1
        }
        for case .text(let text) in values where text == faults.forbiddenText {
            throw StoreError(.execute, code: 19, reason: "a constraint failed")
        }
    }

    var work: Int64 { real.work }

    func hasTable(_ name: String) throws(StoreError) -> Bool { try real.hasTable(name) }

    func sendTogether(_ isAllowed: Bool) { real.sendTogether(isAllowed) }

    func foreignChanges() throws(StoreError) -> Int64 { try real.foreignChanges() }
}

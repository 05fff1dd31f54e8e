import Store

/// A database that fails as planned, and is otherwise SQLite. Once its process has died, it does
/// nothing.
final class FaultyDriver: Driver {
    private let real: any Driver
    private unowned let process: BridgeProcess
    /// The last statement that returned nothing.
    private var previous = ""

    init(_ real: any Driver, _ process: BridgeProcess) {
        self.real = real
        self.process = process
    }

    private static let dead = StoreError(.execute, reason: "the process is dead")
    private static let full = StoreError(.commit, code: 13, reason: "database or disk is full")
    private static let broken = StoreError(.execute, code: 10, reason: "disk I/O error")

    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try attempt(body)
        } catch {
            process.didFail()
            throw error
        }
    }

    private func attempt<Value>(_ body: () throws(StoreError) -> Value)
        throws(StoreError) -> Value
    {
        let process = process
        guard !process.isDead else { throw FaultyDriver.dead }
        if process.world.plan.takeBusy() {
            throw StoreError(.begin, code: 5, reason: "database is locked")
        }
        process.begin()
        var isLostAfterwards = false
        let value = try real.transaction { () throws(StoreError) in
            let value = try body()
            if process.world.plan.dies(beforeCommit: true) {
                process.die("before a commit")
                throw FaultyDriver.dead
            }
            switch process.world.plan.takeCommit() {
            case .fails:
                process.world.trace.note("a commit fails")
                throw FaultyDriver.full
            case .failsAfterwards: isLostAfterwards = true
            case nil: break
            }
            return value
        }
        process.didCommit()
        if process.world.plan.dies(beforeCommit: false) {
            process.die("after a commit")
            throw FaultyDriver.dead
        }
        if isLostAfterwards {
            process.world.trace.note("a commit seems to fail")
            throw FaultyDriver.full
        }
        return value
    }

    private func meetFate() throws(StoreError) {
        guard !process.isDead else { throw FaultyDriver.dead }
        if process.world.plan.diesAtStatement() {
            process.die("at a statement")
            throw FaultyDriver.dead
        }
        if process.world.plan.takeStatement() {
            process.world.trace.note("a statement fails")
            throw FaultyDriver.broken
        }
    }

    func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int {
        try meetFate()
        let tampering = tamper(sql, values)
        previous = sql
        if case .skipped = tampering { return 1 }
        if case .twice(let twin) = tampering {
            process.note(sql, twin)
            try real.execute(sql, twin)
        }
        process.note(sql, values)
        let changes = try real.execute(sql, values, isCounted: isCounted)
        try follow(tampering)
        return changes
    }

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        try meetFate()
        let tampering = tamper(sql, values)
        if case .twice(let twin) = tampering {
            try real.query(sql, twin) { _ throws(StoreError) in }
        }
        let isWatched = process.world.watches(sql)
        var row: Int64?
        try real.query(sql, values) { found throws(StoreError) in
            if case .filtered(let column, let isKept) = tampering, try !isKept(found.text(column)) {
                return
            }
            if isWatched { row = try found.integer(0) }
            try read(found)
        }
        process.note(sql, values, row: row)
        try follow(tampering)
    }

    // MARK: Deliberate bugs

    private func tamper(_ sql: String, _ values: [SQLValue]) -> Canary.Tampering? {
        guard let canary = process.world.canary, let tampering = canary.tampering else {
            return nil
        }
        return tampering(
            Canary.Attempted(
                sql: sql, values: values, previous: previous, chance: process.world.chance))
    }

    private func follow(_ tampering: Canary.Tampering?) throws(StoreError) {
        guard case .followed(by: let sql, let values) = tampering else { return }
        try real.execute(sql, values)
    }

    var work: Int64 { real.work }

    func hasTable(_ name: String) throws(StoreError) -> Bool { try real.hasTable(name) }

    func sendTogether(_ isAllowed: Bool) { real.sendTogether(isAllowed) }

    func foreignChanges() throws(StoreError) -> Int64 {
        guard !process.isDead else { throw FaultyDriver.dead }
        return try real.foreignChanges()
    }
}

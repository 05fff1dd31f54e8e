import Store

/// A database that fails as planned, and is otherwise SQLite. Once its process has died, it does
/// nothing.
final class FaultyDriver: Driver {
    private let real: any Driver
    private unowned let process: BridgeProcess
    /// Whether to skip the next statement if it records a change of rights.
    private var isHiding = false

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

    func execute(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
        try meetFate()
        if canaryChance > 0, sql.hasPrefix("INSERT INTO fixes "),
            process.world.chance.happens(canaryChance)
        {
            guard process.world.canary == .storeTwice else { return 1 }
            process.note(sql, values)
            var twin = values
            if case .integer(let id) = values[0] { twin[0] = .integer(id + 1_000_000) }
            _ = try real.execute(sql, twin)
        }
        process.note(sql, values)
        if FaultyDriver.endsOfSharing.contains(where: { sql.hasPrefix($0) }) {
            isHiding = process.world.canary == .hideUnsharing
        } else if sql.hasPrefix("INSERT INTO access_changes"), isHiding {
            isHiding = false
            return 1
        } else {
            isHiding = false
        }
        return try real.execute(sql, values)
    }

    private static let endsOfSharing = [
        "UPDATE friends SET shared_since_ms = NULL", "DELETE FROM friends", "INSERT INTO blocks",
    ]

    private var canaryChance: Int {
        switch process.world.canary {
        case .loseFix, .storeTwice: 10
        default: 0
        }
    }

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        try meetFate()
        process.note(sql, values)
        if process.world.canary == .forgetOutbox, sql.contains("FROM outbox WHERE") {
            return try real.query(sql, values) { row throws(StoreError) in
                if try row.text(1).hasSuffix("/chat") { try read(row) }
            }
        }
        if sql.hasPrefix("INSERT INTO outbox"), case .text(let topic) = values[0] {
            switch process.world.canary {
            case .raiseAlertsTwice where topic.hasSuffix("/alerts"): try insertTwin(sql, values)
            case .tellChatTwice where topic.hasSuffix("/chat"): try insertTwin(sql, values)
            case .forgetChat where topic.hasSuffix("/chat"):
                try real.query(sql, values, read)
                _ = try real.execute("DELETE FROM outbox WHERE topic = ?", [values[0]])
                return
            default: break
            }
        }
        try real.query(sql, values) { row throws(StoreError) in
            if sql.hasPrefix("INSERT INTO waiting_requests") {
                process.noteWaiting(try row.integer(0), values)
            }
            try read(row)
        }
    }

    /// Inserts the same outbox row again, with a different id in the payload.
    private func insertTwin(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        guard case .blob(var payload) = values[1], payload.count > 42 else { return }
        // The last digit of the id.
        payload[42] = payload[42] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        var twin = values
        twin[1] = .blob(payload)
        try real.query(sql, twin) { _ throws(StoreError) in }
    }

    var work: Int64 { real.work }

    func foreignChanges() throws(StoreError) -> Int64 {
        guard !process.isDead else { throw FaultyDriver.dead }
        return try real.foreignChanges()
    }
}

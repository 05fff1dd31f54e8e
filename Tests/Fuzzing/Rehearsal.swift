import Store
import Tracking

/// An in-memory database that is restored after each use, whatever was written meanwhile.
///
/// Opening one and migrating its schema takes longer than most inputs do.
final class Rehearsal {
    private let installation: Store

    /// - Parameter prepare: writes the initial content.
    init(at now: Timestamp, _ prepare: (Transaction) throws -> Void)
        throws(StoreError)
    {
        installation = try Store.open(":memory:", at: now)
        try installation.transaction(prepare)
    }

    /// Runs `body` with the database, and undoes its changes.
    func perform<Value>(_ body: (Store) throws -> Value) throws -> Value {
        var outcome: Result<Value, any Error>?
        do throws(StoreError) {
            try installation.driver.transaction { () throws(StoreError) in
                outcome = Result { try body(Store(driver: SteppingDriver(installation.driver))) }
                throw Rehearsal.end
            }
        } catch {
            guard error == Rehearsal.end else { throw error }
        }
        guard let outcome else { preconditionFailure("the body ran") }
        return try outcome.get()
    }

    private static let end = StoreError(.commit, reason: "a rehearsal is never kept")
}

/// A driver whose transactions are savepoints in a transaction of another driver: each is rolled
/// back by itself when it throws. None of Kith's foreign keys is deferred to the end of a
/// transaction, so no violation is found later.
private final class SteppingDriver: Driver {
    private let real: any Driver
    private var isInStep = false

    init(_ real: any Driver) { self.real = real }

    var work: Int64 { real.work }

    /// No one else can open an in-memory database.
    func hasTable(_ name: String) throws(StoreError) -> Bool { try real.hasTable(name) }

    func sendTogether(_ isAllowed: Bool) { real.sendTogether(isAllowed) }

    func foreignChanges() -> Int64 { 0 }

    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        precondition(!isInStep, "transactions do not nest")
        try real.execute("SAVEPOINT step", [])
        isInStep = true
        defer { isInStep = false }
        do throws(StoreError) {
            let value = try body()
            try real.execute("RELEASE step", [])
            return value
        } catch {
            try real.execute("ROLLBACK TO step", [])
            try real.execute("RELEASE step", [])
            throw error
        }
    }

    func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int {
        precondition(isInStep, "statements run inside a transaction")
        return try real.execute(sql, values, isCounted: isCounted)
    }

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        precondition(isInStep, "statements run inside a transaction")
        try real.query(sql, values, read)
    }
}

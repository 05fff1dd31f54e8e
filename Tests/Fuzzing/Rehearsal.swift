import Store
import Tracking

/// A database in memory that is the same again after each use, whatever was written meanwhile.
///
/// To open one and to bring its schema up to date takes longer than most inputs do.
final class Rehearsal {
    private let house: Store

    /// - Parameter prepare: writes what is to be there each time.
    init(at now: Timestamp, _ prepare: (Transaction) throws(StoreError) -> Void)
        throws(StoreError)
    {
        house = try Store.open(":memory:", at: now)
        try house.transaction(prepare)
    }

    /// Lends the database, and takes back what was done to it.
    func perform<Value>(_ body: (Store) throws -> Value) throws -> Value {
        var outcome: Result<Value, any Error>?
        do throws(StoreError) {
            try house.driver.transaction { () throws(StoreError) in
                outcome = Result { try body(Store(driver: SteppingDriver(house.driver))) }
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

/// Its transactions are steps within one of another driver: each is undone by itself when it
/// throws. No foreign key of Kith's waits for the end of a transaction, so nothing is found later.
private final class SteppingDriver: Driver {
    private let real: any Driver
    private var isInStep = false

    init(_ real: any Driver) { self.real = real }

    var work: Int64 { real.work }

    /// Nobody else can open what lies in memory.
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

    func execute(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
        precondition(isInStep, "statements run inside a transaction")
        return try real.execute(sql, values)
    }

    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        precondition(isInStep, "statements run inside a transaction")
        try real.query(sql, values, read)
    }
}

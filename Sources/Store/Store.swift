public import Tracking

/// The database: what Kith knows, on disk. The truth, where memory and it differ.
public final class Store {
    public let driver: any Driver

    public init(driver: any Driver) { self.driver = driver }

    /// Opens, and creates or brings up to date, the database file.
    public static func open(_ path: String, at now: Timestamp) throws(StoreError) -> Store {
        let store = Store(
            driver: try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5)))
        try store.transaction { transaction throws(StoreError) in
            try transaction.migrate(at: now.milliseconds)
        }
        return store
    }

    /// Opens the database of a bridge for looking only.
    ///
    /// - Parameter patience: how long a moment is waited for in which nobody locks it.
    public static func openReadOnly(_ path: String, patience: Duration = .seconds(5))
        throws(StoreError) -> Store
    {
        Store(driver: try SQLiteDriver(path: path, readOnly: true, patience: patience))
    }

    /// Committed, and on disk, when this returns; undone when the body throws.
    public func transaction<Value>(
        _ body: (Transaction) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let transaction = Transaction(driver: driver)
        return try driver.transaction { () throws(StoreError) in try body(transaction) }
    }

    /// Bytes that the write-ahead log keeps at most while nobody reads for long: every
    /// transaction tries to bring what it holds into the database, as far as readers let it.
    public static let usualLog: Int64 = 64 << 20

    /// Bytes of the write-ahead log.
    public var logBytes: Int64 { driver.logBytes }

    /// Brings everything into the database's own file, so that it is whole without the log.
    ///
    /// - Returns: false where somebody reads so long that it cannot be; nothing is lost then.
    public func emptyLog() throws(StoreError) -> Bool { try driver.emptyLog() }

    /// Changes whenever another program has written to the database.
    public func foreignChanges() throws(StoreError) -> Int64 { try driver.foreignChanges() }
}

/// The queries, one file for each area. Valid inside ``Store/transaction(_:)`` alone.
public struct Transaction {
    let driver: any Driver

    /// See ``Driver/work``.
    public var work: Int64 { driver.work }

    func all<Value>(
        _ sql: String, _ values: [SQLValue] = [],
        _ read: (any SQLRow) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        var found: [Value] = []
        try driver.query(sql, values) { row throws(StoreError) in found.append(try read(row)) }
        return found
    }

    func one<Value>(
        _ sql: String, _ values: [SQLValue] = [],
        _ read: (any SQLRow) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try all(sql, values, read).first
    }

    func identifier<ID: Identifier>(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> ID {
        guard
            let id = try one(
                sql, values,
                { row throws(StoreError) in
                    ID(rawValue: try row.integer(0))
                }) ?? nil
        else { throw StoreError(.execute, reason: "an insertion returned no id") }
        return id
    }
}

extension SQLValue {
    init(_ identifier: some Identifier) { self = .integer(identifier.rawValue) }
    init(_ time: Timestamp) { self = .integer(time.milliseconds) }
}

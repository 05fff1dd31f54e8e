public import Tracking

/// The database: Kith's state on disk. It prevails if memory differs from it.
public final class Store {
    public let driver: any Driver

    public init(driver: any Driver) { self.driver = driver }

    /// Opens the database file, and creates it or brings it up to date.
    ///
    /// - Parameter patience: how long each transaction waits for other programs' transactions.
    public static func open(
        _ path: String, at now: Timestamp, patience: Duration = .seconds(5)
    ) throws(StoreError) -> Store {
        let store = Store(
            driver: try SQLiteDriver(path: path, readOnly: false, patience: patience))
        try store.transaction { try $0.migrate(at: now.milliseconds) }
        return store
    }

    /// Opens the database of a bridge read-only.
    ///
    /// - Parameter patience: how long to wait for other programs' locks.
    public static func openReadOnly(_ path: String, patience: Duration = .seconds(5))
        throws(StoreError) -> Store
    {
        Store(driver: try SQLiteDriver(path: path, readOnly: true, patience: patience))
    }

    /// Checks that a database opened for reading has everything that this version reads.
    ///
    /// - Throws: if the database is of another version of Kith. Only the bridge, when it starts,
    ///   brings it up to date.
    public func checkVersion() throws(StoreError) {
        let version = try transaction { try $0.schemaVersion() }
        if version > Migration.newest {
            throw .madeByNewerVersion(schema: version, newest: Migration.newest)
        }
        guard version == Migration.newest else {
            throw StoreError(
                .migrate,
                reason: "it was made by an earlier version of Kith (schema \(version), this one "
                    + "reads \(Migration.newest)); the bridge brings it up to date when it starts")
        }
    }

    /// The newest schema known to this version, to which it migrates every earlier one.
    public static var newestSchema: Int64 { Migration.newest }

    /// Returns the schema of a database; nil if it has none.
    public static func schema(of path: String) throws(StoreError) -> Int64? {
        let driver = try SQLiteDriver(path: path, readOnly: true, patience: .seconds(5))
        guard try driver.hasTable("migrations") else { return nil }
        let schema = try Store(driver: driver).transaction { try $0.schemaVersion() }
        return schema > 0 ? schema : nil
    }

    /// Inspects a database of any version without changing it.
    ///
    /// - Parameter isInUse: whether a bridge has it open. Otherwise it must not be written during
    ///   the call, and SQLite creates none of the files beside it that readers usually need.
    /// - Returns: nil if it has no schema.
    public static func figures(of path: String, isInUse: Bool) throws(StoreError) -> Figures? {
        let driver = try SQLiteDriver(
            path: isInUse ? path : immutable(path), readOnly: true, patience: .seconds(1))
        guard try driver.hasTable("migrations") else { return nil }
        return try Store(driver: driver).transaction { transaction in
            func count(_ table: String) throws(StoreError) -> Int64? {
                guard try transaction.hasTable(table) else { return nil }
                return try transaction.one("SELECT COUNT(*) FROM \(table)") { try $0.integer(0) }
            }
            return Figures(
                schema: try transaction.schemaVersion(), accounts: try count("users"),
                groups: try count("groups"))
        }
    }

    /// The result of ``figures(of:isInUse:)``.
    public struct Figures: Hashable, Sendable {
        public var schema: Int64
        public var accounts: Int64?
        public var groups: Int64?
    }

    /// https://sqlite.org/uri.html
    private static func immutable(_ path: String) -> String {
        let name = path.map {
            "?#%".contains($0) ? "%\(String($0.asciiValue ?? 0, radix: 16))" : "\($0)"
        }
        return "file:\(name.joined())?immutable=1"
    }

    /// Runs a transaction: committed, and on disk, when this returns; rolled back if the body
    /// throws. See ``StoreError/init(_:)`` for its other errors.
    public func transaction<Value>(
        _ body: (Transaction) throws -> Value
    ) throws(StoreError) -> Value {
        let transaction = Transaction(driver: driver)
        return try driver.transaction { () throws(StoreError) in
            try StoreError.only { try body(transaction) }
        }
    }

    /// The maximum size, in bytes, of the write-ahead log while there are no long-running readers:
    /// every transaction tries to move its contents into the database, as far as readers allow it.
    public static let usualLog: Int64 = 64 << 20

    /// The size of the write-ahead log in bytes.
    public var logBytes: Int64 { driver.logBytes }

    /// Sets whether the write-ahead log's contents are moved into the database more often, to keep
    /// it small.
    public func keepLogSmall(_ isSmall: Bool) { driver.keepLogSmall(isSmall) }

    /// Moves everything into the database file itself, so that it is complete without the log.
    ///
    /// - Returns: false if a long-running reader prevents it; nothing is lost then.
    public func emptyLog() throws(StoreError) -> Bool { try driver.emptyLog() }

    /// Moves everything into the database file while transactions continue, and then truncates the
    /// log to zero: deleted data is in the log until then.
    ///
    /// - Returns: false if it is in progress, or a reader or a full disk prevents it: call it again
    ///   later.
    public func emptyLogInSteps() -> Bool { driver.emptyLogInSteps() }

    /// Opens and closes a database, so that no file stays beside it unless another program has it
    /// open.
    public static func close(_ path: String) throws(StoreError) {
        let driver = try SQLiteDriver(path: path, readOnly: false, patience: .zero)
        _ = try driver.emptyLog()
        try driver.close()
    }

    /// A value that changes whenever another program has written to the database.
    public func foreignChanges() throws(StoreError) -> Int64 { try driver.foreignChanges() }
}

/// The queries, one file per area. Valid only inside ``Store/transaction(_:)``.
public struct Transaction {
    let driver: any Driver

    /// See ``Driver/work``.
    public var work: Int64 { driver.work }

    func hasTable(_ name: String) throws(StoreError) -> Bool {
        try one(
            "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)]
        ) { _ in true } ?? false
    }

    /// Passes on the rows one by one, in the order of the query.
    func each(_ sql: String, _ values: [SQLValue] = [], _ body: (any SQLRow) throws -> Void)
        throws(StoreError)
    {
        try driver.query(sql, values) { row throws(StoreError) in
            try StoreError.only { try body(row) }
        }
    }

    func all<Value>(
        _ sql: String, _ values: [SQLValue] = [],
        _ read: (any SQLRow) throws -> Value
    ) throws(StoreError) -> [Value] {
        var found: [Value] = []
        try each(sql, values) { found.append(try read($0)) }
        return found
    }

    func one<Value>(
        _ sql: String, _ values: [SQLValue] = [],
        _ read: (any SQLRow) throws -> Value
    ) throws(StoreError) -> Value? {
        try all(sql, values, read).first
    }

    func identifier<ID: Identifier>(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> ID {
        guard
            let id = try one(
                sql, values,
                { ID(rawValue: try $0.integer(0)) }) ?? nil
        else { throw StoreError(.execute, reason: "an insertion returned no id") }
        return id
    }
}

extension SQLValue {
    init(_ identifier: some Identifier) { self = .integer(identifier.rawValue) }
    init(_ time: Timestamp) { self = .integer(time.milliseconds) }
    init(_ time: Timestamp?) { self = .init(time?.milliseconds) }
}

internal import Contract
public import Tracking

/// The database: Kith's state on disk. It prevails if memory differs from it.
public final class Store {
    public let driver: any Driver

    private let rights: FiledRights?

    public init(driver: any Driver) {
        self.driver = driver
        rights = nil
    }

    private init(_ driver: any Driver, _ rights: FiledRights) {
        (self.driver, self.rights) = (driver, rights)
    }

    /// Opens the database, and creates it or brings it up to date.
    ///
    /// - Parameters:
    ///   - patience: how long each transaction waits for other programs' transactions.
    ///   - decides: whether this process decides from now on, as the bridge does: no other program
    ///     may, and the gate on this machine reads the rights that it commits (``RightsFile``).
    ///   - whileWaiting: see ``Driver/whileWaiting(_:)``.
    public static func open(
        _ address: DatabaseAddress, at now: Timestamp, patience: Duration = .seconds(5),
        decides: Bool = false, whileWaiting: (() -> Void)? = nil
    ) throws(StoreError) -> Store {
        let driver = try driver(of: address, readOnly: false, patience: patience)
        driver.whileWaiting(whileWaiting)
        let store = Store(driver: driver)
        // No schema changes under a bridge that runs on another machine.
        let isOutdated = try store.isOutdated()
        if decides || isOutdated { try driver.claim() }
        try store.transaction { try $0.migrate(at: now.milliseconds) }
        driver.expectQuickAnswers()
        guard decides else {
            if isOutdated { try driver.release() }
            return store
        }
        guard address.server != nil else {
            try RightsFile.remove(besides: address.path)
            return store
        }
        return Store(driver, try FiledRights(of: driver, besides: address.path))
    }

    /// See ``Driver/beginDeciding(as:_:at:)``.
    public func beginDeciding(
        as name: String, _ version: String, at now: Timestamp
    ) throws(StoreError) {
        try driver.beginDeciding(as: name, version, at: now)
    }

    /// See ``Driver/mayHaveLost``.
    public var mayHaveLost: Bool { driver.mayHaveLost }

    private func isOutdated() throws(StoreError) -> Bool {
        try transaction { transaction in
            guard try transaction.hasTable("migrations") else { return true }
            return try transaction.schemaVersion() < Migration.newest
        }
    }

    /// Makes this process the only one that decides, as long as the object exists.
    package static func claim(_ address: DatabaseAddress) throws(StoreError) -> Store {
        let store = try openUnchanged(address)
        try store.driver.claim()
        return store
    }

    /// Opens the database without bringing it up to date.
    package static func openUnchanged(_ address: DatabaseAddress) throws(StoreError) -> Store {
        Store(driver: try driver(of: address, readOnly: false, patience: .seconds(5)))
    }

    /// Opens a database file.
    public static func open(
        _ path: String, at now: Timestamp, patience: Duration = .seconds(5)
    ) throws(StoreError) -> Store {
        try open(DatabaseAddress(path), at: now, patience: patience)
    }

    private static func driver(
        of address: DatabaseAddress, readOnly: Bool, patience: Duration
    ) throws(StoreError) -> any Driver {
        guard let server = address.server else {
            return try SQLiteDriver(path: address.path, readOnly: readOnly, patience: patience)
        }
        return try PostgreSQLDriver(server, readOnly: readOnly)
    }

    /// Opens the database of a bridge read-only.
    ///
    /// - Parameter patience: how long to wait for other programs' locks.
    public static func openReadOnly(_ address: DatabaseAddress, patience: Duration = .seconds(5))
        throws(StoreError) -> Store
    {
        Store(driver: try driver(of: address, readOnly: true, patience: patience))
    }

    /// Opens a database file of a bridge read-only.
    public static func openReadOnly(_ path: String, patience: Duration = .seconds(5))
        throws(StoreError) -> Store
    {
        try openReadOnly(DatabaseAddress(path), patience: patience)
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
    public static func schema(of address: DatabaseAddress) throws(StoreError) -> Int64? {
        try openReadOnly(address).transaction { transaction in
            guard try transaction.hasTable("migrations") else { return nil }
            let schema = try transaction.schemaVersion()
            return schema > 0 ? schema : nil
        }
    }

    /// Inspects a database of any version without changing it.
    ///
    /// - Parameter isInUse: whether a bridge has it open. Otherwise it must not be written during
    ///   the call, and SQLite creates none of the files beside it that readers usually need.
    /// - Returns: nil if it has no schema.
    public static func figures(of path: String, isInUse: Bool) throws(StoreError) -> Figures? {
        try figures(
            in: try SQLiteDriver(
                path: isInUse ? path : immutable(path), readOnly: true, patience: .seconds(1)))
    }

    /// Does the same with a database on a server.
    public static func figures(ofServer server: String) throws(StoreError) -> Figures? {
        try figures(in: try PostgreSQLDriver(server, readOnly: true))
    }

    private static func figures(in driver: any Driver) throws(StoreError) -> Figures? {
        try Store(driver: driver).transaction { transaction in
            guard try transaction.hasTable("migrations") else { return nil }
            func count(_ table: String) throws(StoreError) -> Int64? {
                guard try transaction.hasTable(table) else { return nil }
                return try transaction.rows(of: table)
            }
            return Figures(
                schema: try transaction.schemaVersion(), accounts: try count("users"),
                groups: try count("groups"), bytes: try driver.bytes(),
                decider: try transaction.hasTable("service_keys") ? transaction.decider() : nil,
                bridgeHash: try transaction.hasTable("system_principals")
                    ? transaction.tokenHash(ofSystem: Principal.System.bridge.rawValue) : nil,
                hasSealedVitals: try transaction.hasTable("vitals")
                    ? transaction.one("SELECT 1 FROM vitals LIMIT 1", [], { _ in true }) ?? false
                    : false)
        }
    }

    /// The result of ``figures(of:isInUse:)``.
    public struct Figures: Hashable, Sendable {
        public var schema: Int64
        public var accounts: Int64?
        public var groups: Int64?
        /// Its size on the server; nil for a file.
        public var bytes: Int64?
        /// The bridge that decides, or decided last, on a server.
        public var decider: Decider?
        /// The hash of the bridge's token.
        public var bridgeHash: [UInt8]?
        /// Whether there are vital signs, which only the keys open.
        public var hasSealedVitals = false
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
        guard let rights else {
            let transaction = Transaction(driver: driver)
            return try driver.transaction { () throws(StoreError) in
                try StoreError.only { try body(transaction) }
            }
        }
        return try rights.transaction(body)
    }

    /// See ``Driver/sendTogether(_:)``.
    public func sendTogether(_ isAllowed: Bool) { driver.sendTogether(isAllowed) }

    /// See ``Driver/whileWaiting(_:)``.
    public func whileWaiting(_ body: (() -> Void)?) { driver.whileWaiting(body) }

    /// See ``Driver/claim()``.
    func claim() throws(StoreError) { try driver.claim() }

    /// See ``Driver/connections``.
    public var connections: Int { driver.connections }

    /// How often this process has waited for a server; 0 without one.
    package var roundTrips: Int { (driver as? PostgreSQLDriver)?.roundTrips ?? 0 }

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
    public func emptyLogInSteps() -> Bool {
        let isDone = rights?.emptyLogInSteps() ?? true
        return driver.emptyLogInSteps() && isDone
    }

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
    /// Nil if no ``RightsFile`` is kept.
    var notes: RightsNotes?

    /// Whether ``lastAccessChange()`` may have changed in this transaction.
    public var mayHaveChangedRights: Bool { notes.map { !$0.isEmpty } ?? true }

    /// See ``Driver/work``.
    public var work: Int64 { driver.work }

    func hasTable(_ name: String) throws(StoreError) -> Bool {
        try driver.hasTable(name)
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

    /// Inserts rows, many with each statement.
    ///
    /// - Parameters:
    ///   - start: the statement before the rows.
    ///   - end: the statement after them.
    /// - Returns: the number of inserted or changed rows, if it is needed.
    @discardableResult
    func insertAll(
        _ start: String, _ rows: [[SQLValue]], _ end: String = "", isCounted: Bool = false
    ) throws(StoreError) -> Int {
        var count = 0
        for first in stride(from: 0, to: rows.count, by: Transaction.rowsAtOnce) {
            let part = rows[first..<min(first + Transaction.rowsAtOnce, rows.count)]
            count += try driver.execute(
                "\(start) \(SQLList.values(part)) \(end)", part.flatMap(\.self),
                isCounted: isCounted)
        }
        return count
    }

    private static let rowsAtOnce = 64

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

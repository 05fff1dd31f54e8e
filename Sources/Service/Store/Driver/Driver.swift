public import Tracking

/// The database interface that the queries need. Queries are SQL for SQLite 3.40 or newer, with `?`
/// for values, that PostgreSQL 15 or newer also accepts.
///
/// Used by one thread at a time; statements run inside ``transaction(_:)``.
public protocol Driver: AnyObject {
    /// Runs the body in its own transaction: committed, and on disk, when this returns; rolled back
    /// if the body throws.
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value

    /// - Parameter isCounted: whether the number of changed rows is needed. If not, a failure may be
    ///   reported later, by the transaction's end at the latest.
    /// - Returns: the number of changed rows, if it is needed.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue], isCounted: Bool) throws(StoreError) -> Int

    /// Passes on the rows one by one, in the order of the query.
    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)

    /// Does the same for a query without values whose result may be larger than memory.
    func stream(_ sql: String, _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)

    /// The work done since the driver was opened, in steps of the virtual machine that runs the
    /// statements: about 50 per microsecond. Statements and changed rows count as in ``WorkSteps``.
    var work: Int64 { get }

    /// Whether there is a table of that name.
    func hasTable(_ name: String) throws(StoreError) -> Bool

    /// Sets whether statements that are not counted may be sent without waiting for their results. A
    /// failure may then be ``StoreError/unattributed``.
    func sendTogether(_ isAllowed: Bool)

    /// How often it has connected to the database: after another time, that may be another state of
    /// it.
    var connections: Int { get }

    /// Makes this the only connection that writes, until it is closed; for databases that several
    /// machines can reach.
    ///
    /// - Throws: an error with the cause `superseded` if another has.
    func claim() throws(StoreError)

    /// Ends ``claim()``.
    func release() throws(StoreError)

    /// Stores that this process is the bridge that decides, which it has claimed. From now on it
    /// gives signs of life to those that stand by, and a commit fails with the cause `superseded`
    /// once another decides.
    ///
    /// - Parameters:
    ///   - name: of the host and the process.
    ///   - version: Kith's.
    func beginDeciding(as name: String, _ version: String, at now: Timestamp) throws(StoreError)

    /// Whether another bridge may decide by now, as far as can be known without asking.
    var mayHaveLost: Bool { get }

    /// Reports to those that stand by, with the running transaction, that it changes rights.
    func announceRights() throws(StoreError)

    /// The size of the database in bytes, if its files are not on this machine.
    func bytes() throws(StoreError) -> Int64?

    /// Ends the patience with long statements, such as those that change the schema: from now on a
    /// server that does not answer soon counts as unreachable.
    func expectQuickAnswers()

    /// Sets what is called several times per second while it waits for a server for longer than
    /// usual, on the same thread. It must not use the database.
    func whileWaiting(_ body: (() -> Void)?)

    /// A value that changes whenever another connection commits.
    func foreignChanges() throws(StoreError) -> Int64

    /// The number of written bytes that are not in the database file itself yet.
    var logBytes: Int64 { get }

    /// Sets whether they are moved into the database file so often that they need little space.
    func keepLogSmall(_ isSmall: Bool)

    /// Moves all of them into the database file itself.
    ///
    /// - Returns: false if a long-running reader prevents it.
    func emptyLog() throws(StoreError) -> Bool

    /// Does part of the same, mostly on its own thread, and never waits for other programs.
    ///
    /// - Returns: whether it is complete; otherwise it is to be called again.
    func emptyLogInSteps() -> Bool
}

extension Driver {
    /// - Returns: the number of changed rows.
    public func executeCounted(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int {
        try execute(sql, values, isCounted: true)
    }

    public func execute(_ sql: String, _ values: [SQLValue]) throws(StoreError) {
        try execute(sql, values, isCounted: false)
    }

    public func stream(_ sql: String, _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)
    {
        try query(sql, [], read)
    }

    public func sendTogether(_ isAllowed: Bool) {}
    public var connections: Int { 1 }
    public func claim() throws(StoreError) {}
    public func release() throws(StoreError) {}
    public func beginDeciding(
        as name: String, _ version: String, at now: Timestamp
    ) throws(StoreError) {}
    public var mayHaveLost: Bool { false }
    public func announceRights() throws(StoreError) {}
    public func expectQuickAnswers() {}
    public func whileWaiting(_ body: (() -> Void)?) {}
    public func bytes() throws(StoreError) -> Int64? { nil }

    public var logBytes: Int64 { 0 }
    public func keepLogSmall(_ isSmall: Bool) {}
    public func emptyLog() throws(StoreError) -> Bool { true }
    public func emptyLogInSteps() -> Bool { true }
}

/// The cost of work beyond its steps.
public enum WorkSteps {
    /// Finding the statement, binding its values and reading its rows.
    public static let statement: Int64 = 250
    /// Writing a row, first to the log and later to the database.
    public static let change: Int64 = 250
}

/// A value to be bound.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// Values for `IN`, or rows for `FROM`. The last one is repeated, so that there are few different
/// statements.
struct SQLList {
    /// The placeholders, in parentheses.
    let places: String
    let values: [SQLValue]

    /// - Parameter values: at least one.
    init(_ values: [SQLValue]) {
        self.values = SQLList.filled(values, with: values.last)
        places = SQLList.row(self.values)
    }

    /// - Parameters:
    ///   - rows: at least one, of as many values each.
    ///   - row: is repeated instead of the last one.
    init(rows: [[SQLValue]], filledWith row: [SQLValue]? = nil) {
        let rows = SQLList.filled(rows, with: row ?? rows.last)
        values = rows.flatMap(\.self)
        places = "(\(SQLList.values(rows)))"
    }

    private static func filled<Value>(_ values: [Value], with value: Value?) -> [Value] {
        let count = sequence(first: 1) { 2 * $0 }.first { $0 >= values.count } ?? values.count
        return values + (value.map { Array(repeating: $0, count: count - values.count) } ?? [])
    }

    /// `VALUES` with placeholders.
    static func values(_ rows: some Sequence<[SQLValue]>) -> String {
        "VALUES \(rows.map(row).joined(separator: ", "))"
    }

    private static func row(_ values: [SQLValue]) -> String {
        "(\(repeatElement("?", count: values.count).joined(separator: ", ")))"
    }
}

/// A row of a result, with columns counted from 0. Reading a column as the wrong type means a bug
/// in Kith or a damaged database.
public protocol SQLRow {
    func isNull(_ column: Int) -> Bool
    func integer(_ column: Int) throws(StoreError) -> Int64
    func real(_ column: Int) throws(StoreError) -> Double
    func text(_ column: Int) throws(StoreError) -> String
    func blob(_ column: Int) throws(StoreError) -> [UInt8]
}

extension SQLRow {
    func optionalInteger(_ column: Int) throws(StoreError) -> Int64? {
        isNull(column) ? nil : try integer(column)
    }

    func optionalReal(_ column: Int) throws(StoreError) -> Double? {
        isNull(column) ? nil : try real(column)
    }

    func optionalText(_ column: Int) throws(StoreError) -> String? {
        isNull(column) ? nil : try text(column)
    }
}

extension SQLValue {
    init(_ value: Double?) { self = value.map { .real($0) } ?? .null }
    init(_ value: Int64?) { self = value.map { .integer($0) } ?? .null }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
    init(_ value: [UInt8]?) { self = value.map { .blob($0) } ?? .null }
}

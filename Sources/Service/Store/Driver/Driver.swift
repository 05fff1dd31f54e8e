/// The database interface that the queries need. Queries are SQL for SQLite 3.40 or newer, with `?`
/// for values; no other database is supported.
///
/// Used by one thread at a time; statements run inside ``transaction(_:)``.
public protocol Driver: AnyObject {
    /// Runs the body in its own transaction: committed, and on disk, when this returns; rolled back
    /// if the body throws.
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value

    /// - Returns: the number of rows changed.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int

    /// Passes on the rows one by one, in the order of the query.
    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)

    /// The work done since the driver was opened, in steps of the virtual machine that runs the
    /// statements: about 50 per microsecond. Statements and changed rows count as in ``WorkSteps``.
    var work: Int64 { get }

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

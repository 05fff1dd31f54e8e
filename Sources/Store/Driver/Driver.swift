/// What the queries need of a database. They are written once, as plain SQL that SQLite ≥ 3.40
/// and PostgreSQL 15 both understand, with `?` for values.
///
/// Used by one thread at a time; statements run inside ``transaction(_:)``.
public protocol Driver: AnyObject {
    /// Runs the body in a transaction of its own: committed, and on disk, when this returns;
    /// undone when the body throws.
    func transaction<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError) -> Value

    /// - Returns: how many rows were changed.
    @discardableResult
    func execute(_ sql: String, _ values: [SQLValue]) throws(StoreError) -> Int

    /// Hands over the rows one by one, in the order of the query.
    func query(_ sql: String, _ values: [SQLValue], _ read: (any SQLRow) throws(StoreError) -> Void)
        throws(StoreError)

    /// How much it has done since it was opened, in steps of the machine that runs the statements:
    /// about 50 to a microsecond. Statements and changed rows count as ``WorkSteps`` says.
    var work: Int64 { get }

    /// Changes whenever another connection has committed something.
    func foreignChanges() throws(StoreError) -> Int64

    /// Bytes of what was written and is not in the database's own file yet.
    var logBytes: Int64 { get }

    /// Brings all of that into the database's own file.
    ///
    /// - Returns: false where somebody reads so long that it cannot be.
    func emptyLog() throws(StoreError) -> Bool
}

extension Driver {
    public var logBytes: Int64 { 0 }
    public func emptyLog() throws(StoreError) -> Bool { true }
}

/// What counts for more than the steps that it takes.
public enum WorkSteps {
    /// To find the statement, bind its values and read its rows.
    public static let statement: Int64 = 250
    /// A row that is written goes to the log, and to its place later.
    public static let change: Int64 = 250
}

/// A value as it is bound.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A row as it is read, column by column from 0. Reading a column as something that it is not
/// is an error of ours or a damaged database.
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
}

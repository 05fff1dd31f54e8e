/// A database failure: the operation, and SQLite's own (extended) code and message.
///
/// Never contains bound values.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Operation: String, Sendable {
        case open, migrate, begin, commit, execute, query, decode, copy, check
    }

    public let operation: Operation
    public let code: Int32
    public let reason: String

    public init(_ operation: Operation, code: Int32 = 0, reason: String) {
        self.operation = operation
        self.code = code
        self.reason = reason
    }

    /// The failure of a transaction whose body threw the error. An error of any other type is a bug:
    /// what led to it would do so again, like input that the database rejects.
    public init(_ error: any Error) {
        self =
            error as? StoreError ?? StoreError(.decode, reason: "unexpected \(type(of: error))")
    }

    /// The database rejected one of several statements that were sent together, for the cause `input`
    /// or `damaged`: sent one by one, it would have been the one that fails.
    public static let unattributed = StoreError(
        .execute, reason: "one of several statements failed")

    /// The transaction began on another connection than the one on which memory was read.
    public static let reconnected = StoreError(
        .begin, .unreachable, "the connection to the database was replaced")

    /// Runs a body, and throws its errors as ``init(_:)`` converts them.
    static func only<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
        do { return try body() } catch { throw StoreError(error) }
    }

    /// The cause, as far as the caller can react to it. Each driver maps its own codes.
    public enum Cause: Sendable {
        /// The disk of this machine, and that of a server.
        case diskFull, serverFull
        case readOnly, diskError, unreachable, moved, damaged, locked
        /// Another program decides, on a server.
        case superseded
        /// The database was made by a newer version of Kith.
        case tooNew
        /// The database is in order but rejects its input, and would do so again.
        case input
        case other
    }

    public var isAboutInput: Bool { operation == .decode || cause == .input }
    /// Whether a damaged database page was touched: other work may succeed.
    public var touchesDamage: Bool { operation != .decode && cause == .damaged }

    public var description: String {
        "The database refused to \(operation.rawValue): \(reason) (\(code))."
    }
}

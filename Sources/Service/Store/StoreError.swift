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

    /// The cause, as far as the caller can react to it. Each driver maps its own codes.
    public enum Cause: Sendable {
        case diskFull, readOnly, diskError, unreachable, moved, damaged, locked
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

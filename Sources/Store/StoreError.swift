/// A failure of the database: the operation, and SQLite's own (extended) code and message.
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

    /// Whether SQLite is in order but rejects its input, and would do so again.
    public var isAboutInput: Bool {
        // The low byte is the primary code, https://sqlite.org/rescode.html: a violated constraint,
        // a row that is too large, a value out of range.
        operation == .decode || [18, 19, 20, 25].contains(code & 0xFF)
    }

    public var description: String {
        "The database refused to \(operation.rawValue): \(reason) (\(code))."
    }
}

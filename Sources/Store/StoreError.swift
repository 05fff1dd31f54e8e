/// The database said no: which operation, and SQLite's own (extended) code and words.
///
/// Never the values that were bound.
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

    public var description: String {
        "The database refused to \(operation.rawValue): \(reason) (\(code))."
    }
}

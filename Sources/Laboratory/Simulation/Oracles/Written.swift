import Contract
import JSON
import Store

/// A statement that has written data that matters to an oracle.
struct Written {
    private let sql: String
    private let values: [SQLValue]
    /// The id of the row, if the statement returned it.
    let row: Int64?

    init(_ sql: String, _ values: [SQLValue], row: Int64?) {
        (self.sql, self.values, self.row) = (sql, values, row)
    }

    func begins(with start: String) -> Bool { sql.hasPrefix(start) }

    /// Returns nil for another type of value, or if the statement has no such value.
    func integer(_ index: Int) -> Int64? {
        guard values.indices.contains(index), case .integer(let value) = values[index] else {
            return nil
        }
        return value
    }

    func real(_ index: Int) -> Double? {
        guard values.indices.contains(index), case .real(let value) = values[index] else {
            return nil
        }
        return value
    }

    func blob(_ index: Int) -> [UInt8]? {
        guard values.indices.contains(index), case .blob(let value) = values[index] else {
            return nil
        }
        return value
    }

    func text(_ index: Int) -> String? {
        guard values.indices.contains(index), case .text(let value) = values[index] else {
            return nil
        }
        return value
    }
}

extension JSONValue {
    /// Parses the payload; null if it is not JSON.
    static func of(_ payload: [UInt8]) -> JSONValue {
        JSONValue(parsing: payload) ?? .null
    }
}

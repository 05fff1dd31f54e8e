internal import Tracking

/// The tables whose row numbers are never reused.
enum NumberedTable: String {
    case users, groups, devices
}

extension Transaction {
    /// Returns a number that no such row of this database has had since schema 29, so that stale
    /// references in memory or documents never match a newer row.
    func nextNumber(of kind: NumberedTable) throws(StoreError) -> SQLValue {
        let newest = "(SELECT COALESCE(MAX(id), 0) FROM \(kind.rawValue))"
        let number = try one(
            """
            UPDATE last_numbers
            SET number = 1 + CASE WHEN number > \(newest) THEN number ELSE \(newest) END
            WHERE kind = ? RETURNING number
            """, [.text(kind.rawValue)]
        ) { try $0.integer(0) }
        guard let number else { throw StoreError(.execute, reason: "no last number is stored") }
        return .integer(number)
    }
}

public import Tracking

/// A path as its owner sees it.
public struct OwnPathRow: Sendable {
    public let path: PathRow
    public let endedAt: Timestamp?
}

extension Transaction {
    /// Returns the first path with this number or a greater one.
    public func path(of user: UserID, from number: Int64) throws(StoreError) -> OwnPathRow? {
        try one(
            """
            SELECT \(PathRow.columns), p.ended_at_ms FROM paths p
            WHERE p.user_id = ? AND p.number >= ? ORDER BY p.number LIMIT 1
            """, [SQLValue(user), .integer(number)]
        ) { row in
            OwnPathRow(
                path: try PathRow(row),
                endedAt: try row.optionalInteger(5).map { Timestamp(milliseconds: $0) })
        }
    }
}

public import Tracking

/// Reads data of all users in the order of its arrival.
extension Transaction {
    /// The kinds of rows stored in order of arrival.
    public enum Arrivals: String, Sendable {
        case fixes, vitals
    }

    /// Returns the number before the first row that arrived at that time or later, given that the
    /// numbers ascend with the time.
    public func lastArrival(of kind: Arrivals, before time: Timestamp) throws(StoreError) -> Int64 {
        let bounds = try one("SELECT MIN(id), MAX(id) FROM \(kind)") { row in
            (first: try row.optionalInteger(0), last: try row.optionalInteger(1))
        }
        guard var low = bounds?.first, var high = bounds?.last else { return 0 }
        high += 1
        // All rows before `low` are earlier, and none from `high` on.
        while low < high {
            let middle = low + (high - low) / 2
            let next = try one(
                "SELECT id, received_at_ms FROM \(kind) WHERE id >= ? ORDER BY id LIMIT 1",
                [.integer(middle)]
            ) { row in (id: try row.integer(0), at: Timestamp(milliseconds: try row.integer(1))) }
            if let next, next.at < time { low = next.id + 1 } else { high = middle }
        }
        return low - 1
    }

    /// Returns when the first remaining row arrived; nil if there is none.
    public func firstArrival(of kind: Arrivals) throws(StoreError) -> Timestamp? {
        try one("SELECT received_at_ms FROM \(kind) ORDER BY id LIMIT 1") { row in
            Timestamp(milliseconds: try row.integer(0))
        }
    }

    /// A received position.
    public struct ArrivedFix: Sendable {
        public let id: FixID
        public let user: UserID
        public let receivedAt: Timestamp
        public let takenAt: Timestamp
        /// Nil if the user deleted it.
        public let coordinate: Coordinate?
        public let accuracy: Double?
    }

    public func fixesArrived(after id: Int64, limit: Int) throws(StoreError) -> [ArrivedFix] {
        try all(
            """
            SELECT f.id, d.user_id, f.received_at_ms, f.taken_at_ms, f.latitude_e7,
                f.longitude_e7, f.accuracy
            FROM fixes f JOIN devices d ON d.id = f.device_id
            WHERE f.id > ? ORDER BY f.id LIMIT ?
            """, [.integer(id), .integer(Int64(limit))]
        ) { row in
            ArrivedFix(
                id: FixID(rawValue: try row.integer(0)),
                user: UserID(rawValue: try row.integer(1)),
                receivedAt: Timestamp(milliseconds: try row.integer(2)),
                takenAt: Timestamp(milliseconds: try row.integer(3)),
                coordinate: row.isNull(4)
                    ? nil
                    : Coordinate(
                        latitudeE7: try row.integer(4), longitudeE7: try row.integer(5)),
                accuracy: try row.optionalReal(6))
        }
    }

    /// Returns rows without those that users deleted.
    public func vitalsArrived(after id: Int64, limit: Int) throws(StoreError) -> [VitalsRow] {
        try all(
            """
            SELECT \(VitalsRow.columns) FROM vitals v WHERE id > ?
                AND \(Transaction.isNotDeleted)
            ORDER BY id LIMIT ?
            """, [.integer(id), .integer(Int64(limit))]
        ) { try VitalsRow($0) }
    }
}

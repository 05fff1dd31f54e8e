internal import Contract
public import Tracking

/// A person's import from one source.
public struct Import: Hashable, Sendable {
    public let id: Int64
    public let source: String
    /// The last addition of positions.
    public let at: Timestamp
    public let positions: Int64
}

extension Transaction {
    /// Returns imports, the latest first.
    public func imports(of user: UserID) throws(StoreError) -> [Import] {
        try all(
            """
            SELECT id, source, at_ms, positions FROM imports
            WHERE user_id = ? AND is_deleted = 0 ORDER BY at_ms DESC, id DESC
            """, [SQLValue(user)]
        ) { row in
            Import(
                id: try row.integer(0), source: try row.text(1),
                at: Timestamp(milliseconds: try row.integer(2)), positions: try row.integer(3))
        }
    }

    /// Returns when the first and the last position of each of a user's imports were taken.
    public func importExtents(of user: UserID) throws(StoreError) -> [Int64: ClosedRange<Timestamp>]
    {
        func time(_ function: String) -> String {
            """
            (SELECT \(function)(taken_at_ms) FROM imported_positions
                WHERE import_id = i.id AND user_id = i.user_id)
            """
        }
        var extents: [Int64: ClosedRange<Timestamp>] = [:]
        try each(
            """
            SELECT id, \(time("MIN")), \(time("MAX"))
            FROM imports i WHERE user_id = ? AND is_deleted = 0
            """, [SQLValue(user)]
        ) { row in
            guard let first = try row.optionalTime(1), let last = try row.optionalTime(2) else {
                return
            }
            extents[try row.integer(0)] = first...last
        }
        return extents
    }

    /// Adds positions to a source, skipping moments that already have one.
    ///
    /// - Returns: the number of new ones.
    public func importPositions(
        _ fixes: [Fix], from source: String, of user: UserID, at now: Timestamp
    ) throws(StoreError) -> Int {
        try driver.execute(
            """
            INSERT INTO imports (user_id, source, at_ms, positions) VALUES (?, ?, ?, 0)
            ON CONFLICT (user_id, source) WHERE is_deleted = 0 DO NOTHING
            """, [SQLValue(user), .text(source), SQLValue(now)])
        let id = try one(
            "SELECT id FROM imports WHERE user_id = ? AND source = ? AND is_deleted = 0",
            [SQLValue(user), .text(source)]
        ) { try $0.integer(0) }
        guard let id else { return 0 }
        let count = try insert(fixes, into: id, of: user)
        try driver.execute(
            "UPDATE imports SET positions = positions + ?, at_ms = ? WHERE id = ?",
            [.integer(Int64(count)), SQLValue(now), .integer(id)])
        try driver.execute("DELETE FROM imports WHERE id = ? AND positions = 0", [.integer(id)])
        return count
    }

    /// Inserts positions, replacing those that are being deleted.
    private func insert(_ fixes: [Fix], into id: Int64, of user: UserID) throws(StoreError) -> Int {
        // The first of a moment: PostgreSQL does not change a row twice.
        var moments: Set<Timestamp> = []
        let new = fixes.filter { moments.insert($0.takenAt).inserted }
        return try insertAll(
            """
            INSERT INTO imported_positions (user_id, taken_at_ms, import_id, latitude_e7,
                longitude_e7, accuracy, altitude, heading, speed)
            """,
            new.map { fix -> [SQLValue] in
                [
                    SQLValue(user), SQLValue(fix.takenAt), .integer(id),
                    .integer(Int64(fix.coordinate.latitudeE7)),
                    .integer(Int64(fix.coordinate.longitudeE7)), SQLValue(fix.accuracy),
                    SQLValue(fix.altitude), SQLValue(fix.heading), SQLValue(fix.speed),
                ]
            },
            """
            ON CONFLICT (user_id, taken_at_ms) DO UPDATE SET import_id = excluded.import_id,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                accuracy = excluded.accuracy, altitude = excluded.altitude,
                heading = excluded.heading, speed = excluded.speed
            WHERE (SELECT is_deleted FROM imports WHERE id = imported_positions.import_id) = 1
            """, isCounted: true)
    }
}

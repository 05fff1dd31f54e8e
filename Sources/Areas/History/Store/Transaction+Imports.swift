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

    /// Returns when the first and the last position of an import were taken; nil if it has none.
    public func extent(ofImport id: Int64, of user: UserID)
        throws(StoreError) -> ClosedRange<Timestamp>?
    {
        func time(_ function: String) throws(StoreError) -> Timestamp? {
            try one(
                """
                SELECT \(function)(taken_at_ms) FROM imported_positions
                WHERE import_id = ? AND user_id = ?
                """, [.integer(id), SQLValue(user)]
            ) { try $0.optionalTime(0) } ?? nil
        }
        guard let first = try time("MIN"), let last = try time("MAX") else { return nil }
        return first...last
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
        var count = 0
        for fix in fixes { count += try insert(fix, into: id, of: user) }
        try driver.execute(
            "UPDATE imports SET positions = positions + ?, at_ms = ? WHERE id = ?",
            [.integer(Int64(count)), SQLValue(now), .integer(id)])
        try driver.execute("DELETE FROM imports WHERE id = ? AND positions = 0", [.integer(id)])
        return count
    }

    /// Inserts a position, replacing one that is being deleted.
    private func insert(_ fix: Fix, into id: Int64, of user: UserID) throws(StoreError) -> Int {
        try driver.execute(
            """
            INSERT INTO imported_positions (user_id, taken_at_ms, import_id, latitude_e7,
                longitude_e7, accuracy, altitude, heading, speed)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id, taken_at_ms) DO UPDATE SET import_id = excluded.import_id,
                latitude_e7 = excluded.latitude_e7, longitude_e7 = excluded.longitude_e7,
                accuracy = excluded.accuracy, altitude = excluded.altitude,
                heading = excluded.heading, speed = excluded.speed
            WHERE (SELECT is_deleted FROM imports WHERE id = imported_positions.import_id) = 1
            """,
            [
                SQLValue(user), SQLValue(fix.takenAt), .integer(id),
                .integer(Int64(fix.coordinate.latitudeE7)),
                .integer(Int64(fix.coordinate.longitudeE7)), SQLValue(fix.accuracy),
                SQLValue(fix.altitude), SQLValue(fix.heading), SQLValue(fix.speed),
            ])
    }
}

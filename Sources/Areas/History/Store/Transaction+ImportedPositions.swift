public import Tracking

/// An imported position.
public struct ImportedPosition: Sendable {
    public let importID: Int64
    public let position: Fix
    /// Nil if it is being deleted, and no longer shown.
    public let source: String?
}

extension Transaction {
    private static let importedColumns = """
        p.import_id, p.taken_at_ms, p.latitude_e7, p.longitude_e7, p.accuracy, p.altitude,
        p.heading, p.speed, CASE i.is_deleted WHEN 0 THEN i.source END
        """

    /// Includes positions that are being deleted, so that a page is bounded.
    ///
    /// - Parameters:
    ///   - from: the earliest time.
    ///   - to: the time before which they were taken.
    /// - Returns: the newest first.
    public func importedPositions(of user: UserID, from: Timestamp, to: Timestamp, limit: Int)
        throws(StoreError) -> [ImportedPosition]
    {
        try all(
            """
            SELECT \(Transaction.importedColumns)
            FROM imported_positions p JOIN imports i ON i.id = p.import_id
            WHERE p.user_id = ? AND p.taken_at_ms >= ? AND p.taken_at_ms < ?
            ORDER BY p.taken_at_ms DESC LIMIT ?
            """, [SQLValue(user), SQLValue(from), SQLValue(to), .integer(Int64(limit))]
        ) { try ImportedPosition($0) }
    }

    /// Returns the oldest first.
    func importedPositions(of user: UserID, after time: Int64, limit: Int)
        throws(StoreError) -> [ImportedPosition]
    {
        try all(
            """
            SELECT \(Transaction.importedColumns)
            FROM imported_positions p JOIN imports i ON i.id = p.import_id
            WHERE p.user_id = ? AND p.taken_at_ms > ? ORDER BY p.taken_at_ms LIMIT ?
            """, [SQLValue(user), .integer(time), .integer(Int64(limit))]
        ) { try ImportedPosition($0) }
    }
}

extension ImportedPosition {
    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        importID = try row.integer(0)
        let takenAt = Timestamp(milliseconds: try row.integer(1))
        let coordinate = Coordinate(
            latitudeE7: try row.integer(2), longitudeE7: try row.integer(3))
        guard let coordinate else { throw StoreError(.decode, reason: "an imported position") }
        position = Fix(
            coordinate: coordinate, takenAt: takenAt, receivedAt: takenAt,
            accuracy: try row.optionalReal(4), altitude: try row.optionalReal(5),
            heading: try row.optionalReal(6), speed: try row.optionalReal(7))
        source = try row.optionalText(8)
    }
}

// MARK: Deleting

extension Transaction {
    /// Removes an import from every answer; ``deleteImports(atMost:)`` deletes it.
    public func noteDeletion(ofImport id: Int64) throws(StoreError) {
        try driver.execute("UPDATE imports SET is_deleted = 1 WHERE id = ?", [.integer(id)])
    }

    /// Removes imports without additions since a time from every answer.
    ///
    /// - Returns: the number of imports; fewer than the limit if there are no more.
    public func noteDeletionOfImports(addedBefore time: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            UPDATE imports SET is_deleted = 1 WHERE id IN
                (SELECT id FROM imports WHERE is_deleted = 0 AND at_ms < ? LIMIT ?)
            """, [SQLValue(time), .integer(Int64(limit))])
    }

    public func isDeletingImports() throws(StoreError) -> Bool {
        try firstDeletedImport() != nil
    }

    private func firstDeletedImport() throws(StoreError) -> Int64? {
        try one("SELECT MIN(id) FROM imports WHERE is_deleted = 1") { row in
            try row.optionalInteger(0)
        } ?? nil
    }

    /// Deletes a bounded part of the imports removed from answers.
    ///
    /// - Returns: whether there may be more.
    public func deleteImports(atMost limit: Int) throws(StoreError) -> Bool {
        guard let id = try firstDeletedImport() else { return false }
        let count = try driver.executeCounted(
            """
            DELETE FROM imported_positions WHERE (user_id, taken_at_ms) IN
                (SELECT user_id, taken_at_ms FROM imported_positions WHERE import_id = ? LIMIT ?)
            """, [.integer(id), .integer(Int64(limit))])
        if count < limit {
            try driver.execute("DELETE FROM imports WHERE id = ?", [.integer(id)])
        }
        return true
    }

    /// Deletes consecutive rows.
    ///
    /// - Parameter rows: in the order in which they were read.
    public func delete(_ rows: [ImportedPosition], of user: UserID) throws(StoreError) {
        guard let newest = rows.first, let oldest = rows.last else { return }
        try driver.execute(
            """
            DELETE FROM imported_positions
            WHERE user_id = ? AND taken_at_ms >= ? AND taken_at_ms <= ?
            """,
            [
                SQLValue(user), SQLValue(oldest.position.takenAt),
                SQLValue(newest.position.takenAt),
            ])
        let byImport = Dictionary(grouping: rows, by: \.importID).sorted { $0.key < $1.key }
        for (id, rows) in byImport {
            try driver.execute(
                "UPDATE imports SET positions = positions - ? WHERE id = ?",
                [.integer(Int64(rows.count)), .integer(id)])
            try driver.execute(
                "DELETE FROM imports WHERE id = ? AND positions = 0 AND is_deleted = 0",
                [.integer(id)])
        }
    }
}

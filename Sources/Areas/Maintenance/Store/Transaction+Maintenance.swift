public import Tracking

/// An announced time without service, as stored.
public struct MaintenanceRow: Hashable, Sendable {
    public let id: UUIDv7
    public var from: Timestamp
    public var to: Timestamp
    public var text: String
    /// Whether the present warning comes later than it should.
    public var isLate: Bool
    /// How many of the two warnings everybody has been given.
    public var warnings: Int
    /// The last user who has been given the present one.
    public var toldThrough: UserID
    /// When that goes on; nil if everything is told.
    public var nextAt: Timestamp?
    public var change: Change?

    /// What has become of it since people were warned.
    public enum Change: String, Hashable, Sendable {
        case moved, cancelled
    }

    public init(
        id: UUIDv7, from: Timestamp, to: Timestamp, text: String, isLate: Bool, warnings: Int,
        toldThrough: UserID = UserID(rawValue: 0), nextAt: Timestamp?, change: Change? = nil
    ) {
        (self.id, self.from, self.to, self.text) = (id, from, to, text)
        (self.isLate, self.warnings) = (isLate, warnings)
        (self.toldThrough, self.nextAt, self.change) = (toldThrough, nextAt, change)
    }

    /// Whether people have been warned, or are being warned.
    public var wasTold: Bool { warnings > 0 || toldThrough.rawValue > 0 || change != nil }

    /// Whether a user comes too late to be warned with the others.
    public func isTold(without user: UserID, at now: Timestamp) -> Bool {
        if let nextAt, nextAt <= now { user <= toldThrough } else { wasTold }
    }
}

extension Transaction {
    public func maintenances() throws(StoreError) -> [MaintenanceRow] {
        try all(
            """
            SELECT id, from_ms, to_ms, text, is_late, warnings, told_through, next_at_ms, change
            FROM maintenances ORDER BY id
            """, []
        ) { row throws(StoreError) in
            guard let id = UUIDv7(try row.text(0)) else { throw .damagedDocument }
            return MaintenanceRow(
                id: id, from: Timestamp(milliseconds: try row.integer(1)),
                to: Timestamp(milliseconds: try row.integer(2)), text: try row.text(3),
                isLate: try row.integer(4) != 0, warnings: Int(try row.integer(5)),
                toldThrough: UserID(rawValue: try row.integer(6)),
                nextAt: try row.optionalTime(7),
                change: try row.optionalText(8).flatMap { MaintenanceRow.Change(rawValue: $0) })
        }
    }

    public func save(_ maintenance: MaintenanceRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO maintenances
                (id, from_ms, to_ms, text, is_late, warnings, told_through, next_at_ms,
                change)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET from_ms = excluded.from_ms, to_ms = excluded.to_ms,
                text = excluded.text, is_late = excluded.is_late,
                warnings = excluded.warnings, told_through = excluded.told_through,
                next_at_ms = excluded.next_at_ms, change = excluded.change
            """,
            [
                .text(maintenance.id.description), SQLValue(maintenance.from),
                SQLValue(maintenance.to), .text(maintenance.text),
                .integer(maintenance.isLate ? 1 : 0), .integer(Int64(maintenance.warnings)),
                SQLValue(maintenance.toldThrough),
                maintenance.nextAt.map { SQLValue($0) } ?? .null,
                maintenance.change.map { .text($0.rawValue) } ?? .null,
            ])
    }

    public func deleteMaintenance(_ id: UUIDv7) throws(StoreError) {
        try driver.execute("DELETE FROM maintenances WHERE id = ?", [.text(id.description)])
    }

    /// Those whose vital signs are watched, in an order that does not change.
    public func watchedUsers(after user: UserID, limit: Int) throws(StoreError) -> [UserID] {
        try all(
            """
            SELECT user_id FROM monitors
            WHERE user_id > ? AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY user_id LIMIT ?
            """, [SQLValue(user), .integer(Int64(limit))]
        ) { row throws(StoreError) in UserID(rawValue: try row.integer(0)) }
    }
}

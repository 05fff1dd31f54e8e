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

    static let record = Record<MaintenanceRow>(
        "maintenances", Column("id", .id, \.id), Column("from_ms", .time, \.from),
        Column("to_ms", .time, \.to), Column("text", .text, \.text),
        Column("is_late", .flag, \.isLate), Column("warnings", .count, \.warnings),
        Column("told_through", .number, \.toldThrough),
        Column("next_at_ms", .null(or: .time), \.nextAt),
        Column("change", .change, \.change),
        make: MaintenanceRow.init)

    /// Whether people have been warned, or are being warned.
    public var wasTold: Bool { warnings > 0 || toldThrough.rawValue > 0 || change != nil }

    /// Whether a user comes too late to be warned with the others.
    public func isTold(without user: UserID, at now: Timestamp) -> Bool {
        if let nextAt, nextAt <= now { user <= toldThrough } else { wasTold }
    }
}

extension ColumnType where Value == MaintenanceRow.Change? {
    /// Nil also for a word that this version does not know.
    fileprivate static let change = ColumnType { row, place throws(StoreError) in
        .some(try row.optionalText(place).flatMap { MaintenanceRow.Change(rawValue: $0) })
    } write: {
        [SQLValue($0?.rawValue)]
    }
}

extension Transaction {
    public func maintenances() throws(StoreError) -> [MaintenanceRow] {
        try rows(MaintenanceRow.record, "ORDER BY id")
    }

    public func save(_ maintenance: MaintenanceRow) throws(StoreError) {
        try save(maintenance, MaintenanceRow.record)
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

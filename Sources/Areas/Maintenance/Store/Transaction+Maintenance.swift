public import Tracking

/// A stored time without service.
public struct MaintenanceRow: Hashable, Sendable {
    public let id: UUIDv7
    public var from: Timestamp
    public var to: Timestamp
    public var text: String
    /// Whether the current warning comes later than it should.
    public var isLate: Bool
    /// The number of the two warnings that everyone has received.
    public var warnings: Int
    /// The last user to receive the current warning.
    public var toldThrough: UserID
    /// The time at which it continues; nil if all warnings have been sent.
    public var nextAt: Timestamp?
    public var change: Change?

    /// The change since people were warned.
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

    /// Whether the user missed a warning that was sent to the others.
    public func isTold(without user: UserID, at now: Timestamp) -> Bool {
        if let nextAt, nextAt <= now { user <= toldThrough } else { wasTold }
    }
}

extension ColumnType where Value == MaintenanceRow.Change? {
    /// Nil also for a word unknown to this version.
    fileprivate static let change = ColumnType { row, place in
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

    /// Returns the users whose vital signs are monitored, in a stable order.
    public func watchedUsers(after user: UserID, limit: Int) throws(StoreError) -> [UserID] {
        try all(
            """
            SELECT user_id FROM monitors
            WHERE user_id > ? AND user_id NOT IN \(Transaction.erasedUsers)
            ORDER BY user_id LIMIT ?
            """, [SQLValue(user), .integer(Int64(limit))]
        ) { UserID(rawValue: try $0.integer(0)) }
    }
}

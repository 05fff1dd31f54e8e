public import Contract
public import Tracking

/// A link to send: to a person who requested one to set a password, or to confirm a new account's
/// address.
public struct PasswordRequestRow: Hashable, Sendable {
    public let id: UUIDv7
    public let purpose: AccountLink.Purpose
    /// The name or address as typed, in lower case; nil once it is resolved to a user.
    public var login: String?
    public var user: UserID?
    public let at: Timestamp
    /// The number of times that the mail was submitted.
    public var attempts: Int
    /// Whether the mail is being sent.
    public var isLent: Bool
    /// The time of the next step; nil if there is none.
    public var due: Timestamp?

    static let record = Record<PasswordRequestRow>(
        "password_requests", Column("id", .id, \.id), Column("purpose", .purpose, \.purpose),
        Column("login", .null(or: .text), \.login), Column("user_id", .null(or: .number), \.user),
        Column("at_ms", .time, \.at), Column("attempts", .count, \.attempts),
        Column("lent", .flag, \.isLent), Column("due_at_ms", .null(or: .time), \.due),
        make: PasswordRequestRow.init)
}

extension PasswordRequestRow {
    /// - Parameter due: when it is to be resolved to a user.
    public init(id: UUIDv7, login: String, at now: Timestamp, due: Timestamp) {
        self.init(
            id: id, purpose: .forgotten, login: login, at: now, attempts: 0, isLent: false,
            due: due)
    }

    /// Creates a request for a mail that confirms a user's address, to be sent immediately.
    public init(id: UUIDv7, confirming user: UserID, at now: Timestamp) {
        self.init(
            id: id, purpose: .email, user: user, at: now, attempts: 0, isLent: false, due: now)
    }
}

extension ColumnType where Value == AccountLink.Purpose {
    fileprivate static let purpose = ColumnType(
        text: { AccountLink.Purpose(rawValue: $0) ?? .forgotten }, \.rawValue)
}

extension Transaction {
    public func insert(_ request: PasswordRequestRow) throws(StoreError) {
        try insert(request, PasswordRequestRow.record)
    }

    public func save(_ request: PasswordRequestRow) throws(StoreError) {
        try update(request, PasswordRequestRow.record)
    }

    public func deletePasswordRequest(_ id: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM password_requests WHERE id = ?", [.text(id.description)])
    }

    public func passwordRequest(_ id: UUIDv7) throws(StoreError) -> PasswordRequestRow? {
        try rows(PasswordRequestRow.record, "WHERE id = ?", [.text(id.description)]).first
    }

    /// Returns the requests that are due, the longest due first.
    public func passwordRequests(dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [PasswordRequestRow]
    {
        try rows(
            PasswordRequestRow.record, "WHERE due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?",
            [SQLValue(now), .integer(Int64(limit))])
    }

    /// Returns a user's requests: a few.
    public func passwordRequests(of user: UserID) throws(StoreError) -> [PasswordRequestRow] {
        try rows(PasswordRequestRow.record, "WHERE user_id = ?", [SQLValue(user)])
    }

    /// Returns the number of open requests, and of mails being sent.
    public func openPasswordRequests(at now: Timestamp)
        throws(StoreError) -> (all: Int, lent: Int)
    {
        try one(
            """
            SELECT COUNT(*), COALESCE(SUM(CASE WHEN lent = 1 AND due_at_ms > ? THEN 1 ELSE 0 END), 0)
            FROM password_requests WHERE due_at_ms IS NOT NULL
            """, [SQLValue(now)]
        ) { row in (Int(try row.integer(0)), Int(try row.integer(1))) } ?? (0, 0)
    }

    /// Returns when the next request is due.
    public func nextPasswordRequest() throws(StoreError) -> Timestamp? {
        try one(
            "SELECT MIN(due_at_ms) FROM password_requests WHERE due_at_ms IS NOT NULL", []
        ) { try $0.optionalTime(0) } ?? nil
    }

    /// - Returns: the number deleted.
    public func deletePasswordRequests(from before: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.executeCounted(
            """
            DELETE FROM password_requests WHERE id IN
                (SELECT id FROM password_requests WHERE at_ms < ? ORDER BY at_ms LIMIT ?)
            """, [SQLValue(before), .integer(Int64(limit))])
    }
}

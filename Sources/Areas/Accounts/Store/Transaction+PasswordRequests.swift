public import Contract
public import Tracking

/// That a link is to be sent: to somebody who has asked for one to set a password, or to confirm the
/// address of a new account.
public struct PasswordRequestRow: Hashable, Sendable {
    public let id: UUIDv7
    public let purpose: AccountLink.Purpose
    /// What was typed: a name or an address, in lower case; nil once it is known whom it means.
    public var login: String?
    public var user: UserID?
    public let at: Timestamp
    /// How often the mail was handed over.
    public var attempts: Int
    /// Whether the mail is under way.
    public var isLent: Bool
    /// When there is something to do; nil: never again.
    public var due: Timestamp?

    /// - Parameter due: when it is to be looked whom it means.
    public init(id: UUIDv7, login: String, at now: Timestamp, due: Timestamp) {
        (self.id, self.login, self.at, self.due) = (id, login, now, due)
        (purpose, attempts, isLent) = (.forgotten, 0, false)
    }

    /// A mail that confirms the address of a user, to be sent at once.
    public init(id: UUIDv7, confirming user: UserID, at now: Timestamp) {
        (self.id, self.user, self.at, due) = (id, user, now, now)
        (purpose, attempts, isLent) = (.email, 0, false)
    }

    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        guard let id = UUIDv7(try row.text(0)) else {
            throw StoreError(.decode, reason: "a request for a password is damaged")
        }
        self.id = id
        login = try row.optionalText(1)
        user = try row.optionalInteger(2).map { UserID(rawValue: $0) }
        at = Timestamp(milliseconds: try row.integer(3))
        attempts = Int(try row.integer(4))
        isLent = try row.integer(5) != 0
        due = try row.optionalTime(6)
        purpose = AccountLink.Purpose(rawValue: try row.text(7)) ?? .forgotten
    }
}

extension Transaction {
    public func insert(_ request: PasswordRequestRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO password_requests (id, login, user_id, at_ms, due_at_ms, purpose)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(request.id.description), SQLValue(request.login),
                request.user.map { SQLValue($0) } ?? .null, SQLValue(request.at),
                SQLValue(request.due), .text(request.purpose.rawValue),
            ])
    }

    public func save(_ request: PasswordRequestRow) throws(StoreError) {
        try driver.execute(
            """
            UPDATE password_requests SET login = ?, user_id = ?, attempts = ?, lent = ?,
                due_at_ms = ?
            WHERE id = ?
            """,
            [
                SQLValue(request.login), request.user.map { SQLValue($0) } ?? .null,
                .integer(Int64(request.attempts)), .integer(request.isLent ? 1 : 0),
                SQLValue(request.due), .text(request.id.description),
            ])
    }

    public func deletePasswordRequest(_ id: UUIDv7) throws(StoreError) {
        try driver.execute(
            "DELETE FROM password_requests WHERE id = ?", [.text(id.description)])
    }

    public func passwordRequest(_ id: UUIDv7) throws(StoreError) -> PasswordRequestRow? {
        try passwordRequests("id = ?", [.text(id.description)]).first
    }

    /// Those with which there is something to do, the longest due first.
    public func passwordRequests(dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [PasswordRequestRow]
    {
        try passwordRequests(
            "due_at_ms <= ? ORDER BY due_at_ms, id LIMIT ?",
            [SQLValue(now), .integer(Int64(limit))])
    }

    /// A user's own: a few.
    public func passwordRequests(of user: UserID) throws(StoreError) -> [PasswordRequestRow] {
        try passwordRequests("user_id = ?", [SQLValue(user)])
    }

    /// How many are not done with, and how many mails are under way.
    public func openPasswordRequests(at now: Timestamp)
        throws(StoreError) -> (all: Int, lent: Int)
    {
        try one(
            """
            SELECT COUNT(*), COALESCE(SUM(CASE WHEN lent = 1 AND due_at_ms > ? THEN 1 ELSE 0 END), 0)
            FROM password_requests WHERE due_at_ms IS NOT NULL
            """, [SQLValue(now)]
        ) { row throws(StoreError) in (Int(try row.integer(0)), Int(try row.integer(1))) } ?? (0, 0)
    }

    /// When there is something to do next.
    public func nextPasswordRequest() throws(StoreError) -> Timestamp? {
        try one(
            "SELECT MIN(due_at_ms) FROM password_requests WHERE due_at_ms IS NOT NULL", []
        ) { row throws(StoreError) in try row.optionalTime(0) } ?? nil
    }

    /// - Returns: the number that were deleted.
    public func deletePasswordRequests(from before: Timestamp, atMost limit: Int)
        throws(StoreError) -> Int
    {
        try driver.execute(
            """
            DELETE FROM password_requests WHERE id IN
                (SELECT id FROM password_requests WHERE at_ms < ? ORDER BY at_ms LIMIT ?)
            """, [SQLValue(before), .integer(Int64(limit))])
    }

    private func passwordRequests(_ condition: String, _ values: [SQLValue])
        throws(StoreError) -> [PasswordRequestRow]
    {
        try all(
            """
            SELECT id, login, user_id, at_ms, attempts, lent, due_at_ms, purpose
            FROM password_requests WHERE \(condition)
            """, values
        ) { row throws(StoreError) in try PasswordRequestRow(row) }
    }
}

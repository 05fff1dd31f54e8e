public import Tracking

/// To which entry of the directory an account belongs.
public struct DirectoryAccountRow: Sendable {
    public let user: UserID
    /// By what the entry is recognised.
    public let entry: String
    /// What its owner types, as the directory writes it.
    public var login: String
    /// When the directory last knew them.
    public var confirmedAt: Timestamp
    /// How many times in a row it has not.
    public var missed = 0
    /// Since when they count as gone.
    public var goneAt: Timestamp?
    /// When the directory is asked again.
    public var due: Timestamp

    public init(
        user: UserID, entry: String, login: String, confirmedAt: Timestamp, due: Timestamp
    ) {
        (self.user, self.entry, self.login) = (user, entry, login)
        (self.confirmedAt, self.due) = (confirmedAt, due)
    }

    fileprivate init(_ row: any SQLRow) throws(StoreError) {
        user = UserID(rawValue: try row.integer(0))
        (entry, login) = (try row.text(1), try row.text(2))
        confirmedAt = Timestamp(milliseconds: try row.integer(3))
        missed = Int(try row.integer(4))
        goneAt = try row.optionalTime(5)
        due = Timestamp(milliseconds: try row.integer(6))
    }
}

extension Transaction {
    private static let directoryColumns =
        "user_id, entry, login, confirmed_at_ms, missed, gone_at_ms, due_at_ms"

    public func directoryAccounts() throws(StoreError) -> [DirectoryAccountRow] {
        try all(
            "SELECT \(Transaction.directoryColumns) FROM directory_accounts ORDER BY user_id", []
        ) { row throws(StoreError) in try DirectoryAccountRow(row) }
    }

    public func directoryAccount(of user: UserID) throws(StoreError) -> DirectoryAccountRow? {
        try one(
            "SELECT \(Transaction.directoryColumns) FROM directory_accounts WHERE user_id = ?",
            [SQLValue(user)]
        ) { row throws(StoreError) in try DirectoryAccountRow(row) }
    }

    /// The users whom the directory is to be asked about, those that are due for longest first.
    public func directoryAccounts(dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [UserID]
    {
        try all(
            """
            SELECT user_id FROM directory_accounts WHERE due_at_ms <= ?
            ORDER BY due_at_ms, user_id LIMIT ?
            """, [SQLValue(now), .integer(Int64(limit))]
        ) { row throws(StoreError) in UserID(rawValue: try row.integer(0)) }
    }

    public func save(_ account: DirectoryAccountRow) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO directory_accounts (\(Transaction.directoryColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET login = excluded.login,
                confirmed_at_ms = excluded.confirmed_at_ms, missed = excluded.missed,
                gone_at_ms = excluded.gone_at_ms, due_at_ms = excluded.due_at_ms
            """,
            [
                SQLValue(account.user), .text(account.entry), .text(account.login),
                SQLValue(account.confirmedAt), .integer(Int64(account.missed)),
                SQLValue(account.goneAt), SQLValue(account.due),
            ])
    }

    /// From now on the account is one of this service alone.
    public func deleteDirectoryAccount(of user: UserID) throws(StoreError) {
        try driver.execute(
            "DELETE FROM directory_accounts WHERE user_id = ?", [SQLValue(user)])
    }
}

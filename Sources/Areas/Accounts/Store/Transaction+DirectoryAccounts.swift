public import Tracking

/// The directory entry of an account.
public struct DirectoryAccountRow: Sendable {
    public let user: UserID
    /// Identifies the directory's entry.
    public let entry: String
    /// The login that its owner types, as the directory writes it.
    public var login: String
    /// The last time that the directory knew its owner.
    public var confirmedAt: Timestamp
    /// The number of times in a row that it has not since then.
    public var missed = 0
    /// The time since which its owner counts as gone.
    public var goneAt: Timestamp?
    /// The time of the next question to the directory.
    public var due: Timestamp

    public init(
        user: UserID, entry: String, login: String, confirmedAt: Timestamp, due: Timestamp
    ) {
        (self.user, self.entry, self.login) = (user, entry, login)
        (self.confirmedAt, self.due) = (confirmedAt, due)
    }

    static let record = Record<DirectoryAccountRow>(
        "directory_accounts", Column("user_id", .number, \.user), Column("entry", .text, \.entry),
        Column("login", .text, \.login), Column("confirmed_at_ms", .time, \.confirmedAt),
        Column("missed", .count, \.missed), Column("gone_at_ms", .null(or: .time), \.goneAt),
        Column("due_at_ms", .time, \.due)
    ) { user, entry, login, confirmedAt, missed, goneAt, due in
        var row = DirectoryAccountRow(
            user: user, entry: entry, login: login, confirmedAt: confirmedAt, due: due)
        (row.missed, row.goneAt) = (missed, goneAt)
        return row
    }
}

extension Transaction {
    public func directoryAccounts() throws(StoreError) -> [DirectoryAccountRow] {
        try rows(DirectoryAccountRow.record, "ORDER BY user_id")
    }

    public func directoryAccount(of user: UserID) throws(StoreError) -> DirectoryAccountRow? {
        try rows(DirectoryAccountRow.record, "WHERE user_id = ?", [SQLValue(user)]).first
    }

    /// Returns the users about whom the directory is to be asked, the longest due first.
    public func directoryAccounts(dueAt now: Timestamp, atMost limit: Int)
        throws(StoreError) -> [UserID]
    {
        try all(
            """
            SELECT user_id FROM directory_accounts WHERE due_at_ms <= ?
            ORDER BY due_at_ms, user_id LIMIT ?
            """, [SQLValue(now), .integer(Int64(limit))]
        ) { UserID(rawValue: try $0.integer(0)) }
    }

    public func save(_ account: DirectoryAccountRow) throws(StoreError) {
        try save(account, DirectoryAccountRow.record)
    }

    /// Makes the account one of this service alone.
    public func deleteDirectoryAccount(of user: UserID) throws(StoreError) {
        try driver.execute(
            "DELETE FROM directory_accounts WHERE user_id = ?", [SQLValue(user)])
    }
}

import Contract
import Store
import Tracking

/// The accounts' state between turns.
final class AccountsState: AreaState {
    /// The time at which the next password request is due.
    var next: Timestamp?
    var directory: DirectoryAccounts
    /// The last sweep that asked the directory.
    var lastCheck: Timestamp?

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        next = try transaction.nextPasswordRequest()
        directory = DirectoryAccounts(try transaction.directoryAccounts())
    }
}

/// The accounts that belong to directory entries.
struct DirectoryAccounts {
    private var rows: [UserID: DirectoryAccountRow] = [:]
    private var byEntry: [String: UserID] = [:]
    /// Keyed by the login that owners type, in lower case.
    private var byLogin: [String: UserID] = [:]

    init(_ rows: [DirectoryAccountRow]) {
        for row in rows { set(row) }
    }

    subscript(_ user: UserID) -> DirectoryAccountRow? { rows[user] }

    func account(entry: String) -> DirectoryAccountRow? { byEntry[entry].flatMap { rows[$0] } }
    func user(typing login: String) -> UserID? { byLogin[EmailAddress.folded(login)] }

    mutating func set(_ row: DirectoryAccountRow) {
        remove(row.user)
        rows[row.user] = row
        byEntry[row.entry] = row.user
        byLogin[EmailAddress.folded(row.login)] = row.user
    }

    mutating func remove(_ user: UserID) {
        guard let row = rows.removeValue(forKey: user) else { return }
        byEntry[row.entry] = nil
        let login = EmailAddress.folded(row.login)
        if byLogin[login] == user { byLogin[login] = nil }
    }

    /// Whether so many users are missing, compared with those found, that the directory is not
    /// trusted: it may be half restored, or hide entries from us.
    ///
    /// - Parameter since: entries confirmed since then count as found.
    func areSuspiciouslyFew(foundSince since: Timestamp) -> Bool {
        var (missing, found) = (0, 0)
        for row in rows.values where row.goneAt == nil {
            if row.missed > 0 {
                missing += 1
            } else if row.confirmedAt >= since {
                found += 1
            }
        }
        return missing >= DirectoryAccounts.suspicious && missing > found
    }

    /// The number of missing users from which the directory may be doubted.
    private static let suspicious = 5
}

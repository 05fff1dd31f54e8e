internal import Contract
internal import Glibc
internal import Tracking

/// The rights of everybody in a SQLite file on the broker's machine, for installations whose
/// database is elsewhere: the gate asks no server. The tables that it shares with the database have
/// the same columns; ``StoredAccess`` reads either.
final class RightsFile {
    private let driver: SQLiteDriver
    private let transaction: Transaction

    /// The path of the file that takes the place of the database at a path for the gate.
    static func path(for database: String) -> String {
        database.lastIndex(of: "/").map { database[...$0] + "rights.db" } ?? "rights.db"
    }

    fileprivate static let format: Int64 = 1

    private static let definitions = [
        "CREATE TABLE rights_file (format INTEGER NOT NULL, installation BLOB NOT NULL) STRICT",
        "CREATE TABLE users (name TEXT PRIMARY KEY, created_at_ms INTEGER NOT NULL) STRICT",
        "CREATE INDEX users_by_creation ON users (created_at_ms)",
        """
        CREATE TABLE facts (
            holder TEXT NOT NULL,
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            value BLOB,
            PRIMARY KEY (holder, kind, name)
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX facts_by_name ON facts (name, kind)",
        "CREATE TABLE access_changes (number INTEGER PRIMARY KEY, principal TEXT NOT NULL) STRICT",
        "CREATE TABLE system_principals (name TEXT PRIMARY KEY, token_hash BLOB NOT NULL) STRICT",
        "CREATE TABLE service_keys (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT",
    ]

    /// Opens the file. One of another installation, or of another version of Kith, is replaced.
    ///
    /// - Parameter database: of the database, beside which it is.
    init(besides database: String, of installation: [UInt8]) throws(StoreError) {
        let path = RightsFile.path(for: database)
        if let known = RightsFile.opened(path), known.belongs(to: installation) {
            (driver, transaction) = (known, Transaction(driver: known))
            return
        }
        for suffix in ["-wal", "-shm", ""] { unlink(path + suffix) }
        // Only the broker's and Kith's users may read it, like the database.
        driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5))
        transaction = Transaction(driver: driver)
        let driver = driver
        try driver.transaction { () throws(StoreError) in
            for definition in RightsFile.definitions { try driver.execute(definition, []) }
            try driver.execute(
                "INSERT INTO rights_file (format, installation) VALUES (?, ?)",
                [.integer(RightsFile.format), .blob(installation)])
        }
    }

    /// Removes the file of an installation whose database is on this machine now.
    static func remove(besides database: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path(for: database) + suffix) }
    }

    /// Nil if there is none, or it cannot be used.
    private static func opened(_ path: String) -> SQLiteDriver? {
        guard access(path, F_OK) == 0 else { return nil }
        do throws(StoreError) {
            return try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5))
        } catch {
            return nil
        }
    }

    // MARK: Changes

    /// Applies what a transaction of the database has changed.
    func apply(_ update: RightsUpdate) throws(StoreError) {
        try driver.transaction { () throws(StoreError) in
            if update.isEverything {
                for table in ["users", "facts", "access_changes"] {
                    try driver.execute("DELETE FROM \(table)", [])
                }
            }
            for (number, principal) in update.changes {
                try driver.execute(
                    """
                    INSERT INTO access_changes (number, principal) VALUES (?, ?)
                    ON CONFLICT (number) DO UPDATE SET principal = excluded.principal
                    """, [.integer(number), .text(principal)])
            }
            if let first = update.first {
                try driver.execute(
                    "DELETE FROM access_changes WHERE number < ?", [.integer(first)])
            }
            for name in update.forgotten { try transaction.blankAccessChanges(of: name) }
            for holder in update.holders { try file(holder) }
            if let users = update.users { try removeUsers(except: users) }
            try replace("system_principals", "name, token_hash", update.systems)
            try replace("service_keys", "name, value", update.keys)
        }
    }

    private func file(_ holder: RightsUpdate.Holder) throws(StoreError) {
        let name = SQLValue.text(holder.name)
        try driver.execute("DELETE FROM facts WHERE holder = ?", [name])
        try driver.execute("DELETE FROM users WHERE name = ?", [name])
        if holder.isUser, holder.since == nil {
            // What others had from this user ends with the account.
            try driver.execute(
                """
                DELETE FROM facts WHERE holder IN
                    (SELECT holder FROM facts WHERE name = ? AND kind = ?)
                """, [name, .text(RightsUpdate.Kind.maker)])
            try driver.execute(
                "DELETE FROM facts WHERE name = ? AND kind IN (?, ?)",
                [name, .text(RightsUpdate.Kind.friend), .text(RightsUpdate.Kind.service)])
        }
        if let since = holder.since {
            try driver.execute(
                "INSERT INTO users (name, created_at_ms) VALUES (?, ?)", [name, SQLValue(since)])
        }
        for fact in holder.facts {
            try driver.execute(
                "INSERT INTO facts (holder, kind, name, value) VALUES (?, ?, ?, ?)",
                [name, .text(fact.kind), .text(fact.name), SQLValue(fact.value)])
        }
    }

    private func removeUsers(except users: Set<String>) throws(StoreError) {
        let gone = try transaction.all("SELECT name FROM users") { try $0.text(0) }
            .filter { !users.contains($0) }
        for name in gone {
            try file(RightsUpdate.Holder(name: name, isUser: true, since: nil, facts: []))
            try transaction.blankAccessChanges(of: name)
        }
    }

    private func replace(_ table: String, _ columns: String, _ rows: [String: [UInt8]]?)
        throws(StoreError)
    {
        guard let rows else { return }
        try driver.execute("DELETE FROM \(table)", [])
        for (name, value) in rows {
            try driver.execute(
                "INSERT INTO \(table) (\(columns)) VALUES (?, ?)", [.text(name), .blob(value)])
        }
    }

    /// The number of the last change that the file has; nil if it has none of the installation's
    /// rights yet.
    func lastChange() throws(StoreError) -> Int64? {
        let last = try driver.transaction { () throws(StoreError) in
            try transaction.lastAccessChange()
        }
        return last == 0 ? nil : last
    }

    func close() throws(StoreError) { try driver.close() }
}

extension SQLiteDriver {
    fileprivate func belongs(to installation: [UInt8]) -> Bool {
        do throws(StoreError) {
            guard try hasTable("rights_file") else { return false }
            var (format, owner): (Int64, [UInt8]) = (0, [])
            try transaction { () throws(StoreError) in
                try query("SELECT format, installation FROM rights_file", []) {
                    row throws(StoreError) in
                    (format, owner) = (try row.integer(0), try row.blob(1))
                }
            }
            return format == RightsFile.format && owner == installation
        } catch {
            return false
        }
    }
}

/// The rights that a transaction has changed, as they are at its end.
struct RightsUpdate {
    /// Whether everything that the file had before is obsolete.
    var isEverything = false
    /// The numbered changes that the file may not have yet.
    var changes: [(number: Int64, principal: String)] = []
    /// The number of the oldest change still kept; nil if it is unchanged.
    var first: Int64?
    var holders: [Holder] = []
    /// Names whose changes lose their name.
    var forgotten: Set<String> = []
    /// The names of all users, if some may be gone; others are removed.
    var users: Set<String>?
    /// Nil: unchanged.
    var systems: [String: [UInt8]]?
    var keys: [String: [UInt8]]?

    struct Holder {
        let name: String
        let isUser: Bool
        /// When the account was created; nil if it was deleted, or it is a grant.
        let since: Timestamp?
        let facts: [Fact]
    }

    struct Fact {
        let kind: String
        let name: String
        var value: [UInt8]?
    }

    /// The kinds of facts in the file.
    enum Kind {
        static let group = "group"
        static let friend = "friend"
        static let service = "service"
        /// Named by the device; the value is the hash of its token.
        static let device = "device"
        /// Of a grant, named by the person who made it; the value is the hash of its token.
        static let maker = "maker"
    }
}

/// What a transaction does to rights, noted for the ``RightsFile``.
final class RightsNotes {
    /// The holders, and other principals.
    var principals: Set<String> = []
    /// Names of erased accounts.
    var forgotten: Set<String> = []
    var hasPruned = false
    var hasChangedKeys = false

    var isEmpty: Bool {
        principals.isEmpty && forgotten.isEmpty && !hasPruned && !hasChangedKeys
    }
}

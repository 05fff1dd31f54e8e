internal import Contract
internal import Glibc
internal import Tracking

/// The rights of everybody in a SQLite file on the broker's machine, for installations whose
/// database is elsewhere: the gate asks no server. The tables that it shares with the database have
/// the same columns; ``StoredAccess`` reads either.
///
/// A file appears complete or not at all. While the marker beside it exists, the gate reads nothing
/// else: not even a database from before the move to the server.
final class RightsFile {
    private let path: String
    private let driver: SQLiteDriver
    private let transaction: Transaction
    private let identity: FileIdentity?
    /// For looking without waiting for a process that writes.
    private var reader: SQLiteDriver?

    /// The path of the file for a database at a path.
    static func path(for database: String) -> String { sibling("rights.db", of: database) }

    /// Whether the gate has to read the file, and not the database.
    static func isUsed(besides database: String) -> Bool {
        access(marker(for: database), F_OK) == 0
    }

    private static func marker(for database: String) -> String {
        sibling("database-on-server", of: database)
    }

    private static func sibling(_ name: String, of database: String) -> String {
        database.lastIndex(of: "/").map { database[...$0] + name } ?? name
    }

    private static let format: Int64 = 2

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

    private init(_ path: String) throws(StoreError) {
        self.path = path
        // Read before the file is opened, to notice a replacement in between.
        identity = FileIdentity(path)
        driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5))
        transaction = Transaction(driver: driver)
    }

    // MARK: The file

    /// Opens the file beside a database.
    ///
    /// - Returns: nil if it has to be made: there is none, or it is damaged, of another
    ///   installation, or of another version of Kith.
    /// - Throws: if it is not known whether it can be used.
    static func opened(besides database: String, of installation: [UInt8]) throws(StoreError)
        -> RightsFile?
    {
        close(try mark(database))
        guard access(path(for: database), F_OK) == 0 else { return nil }
        do throws(StoreError) {
            let file = try RightsFile(path(for: database))
            return try file.belongs(to: installation) ? file : nil
        } catch {
            if error.cause == .damaged { return nil }
            throw error
        }
    }

    /// Makes the file, which then takes the place of the former one.
    ///
    /// - Parameter fill: writes the rights of everybody into the file.
    static func made(
        besides database: String, of installation: [UInt8],
        _ fill: (RightsFile) throws(StoreError) -> Void
    ) throws(StoreError) -> RightsFile {
        // Another process may make it at the same time.
        let lock = try mark(database)
        defer { close(lock) }
        try wait(for: lock)
        let (path, new) = (path(for: database), path(for: database) + ".new")
        remove(new)
        let file = try RightsFile(new)
        do throws(StoreError) {
            try file.driver.transaction { () throws(StoreError) in
                for definition in definitions { try file.driver.execute(definition, []) }
                try file.driver.execute(
                    "INSERT INTO rights_file (format, installation) VALUES (?, ?)",
                    [.integer(format), .blob(installation)])
                try fill(file)
            }
            _ = try file.driver.emptyLog()
            try file.driver.close()
            try giveToOwner(new, like: database)
        } catch {
            remove(new)
            throw error
        }
        // A log would be applied to the new file.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        guard rename(new, path) == 0 else {
            throw StoreError(.open, reason: "the file of rights cannot be replaced")
        }
        return try RightsFile(path)
    }

    /// A process that is frozen while it makes the file does not keep others from making it.
    private static func wait(for lock: Int32) throws(StoreError) {
        let end = ContinuousClock.now + .seconds(5)
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw StoreError(
                    .open, reason: "the marker of a database on a server cannot be locked")
            }
            if ContinuousClock.now >= end { return }
            usleep(10_000)
        }
    }

    /// Removes the file of an installation whose database is on this machine now.
    static func remove(besides database: String) throws(StoreError) {
        guard unlink(marker(for: database)) == 0 || errno == ENOENT else {
            throw StoreError(.open, reason: "the marker of a database on a server stays")
        }
        remove(path(for: database))
    }

    private static func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
    }

    /// - Returns: the open marker.
    private static func mark(_ database: String) throws(StoreError) -> Int32 {
        let descriptor = open(marker(for: database), O_CREAT | O_WRONLY | O_CLOEXEC, 0o640)
        guard descriptor >= 0 else {
            throw StoreError(.open, reason: "the data directory cannot be written").caused(
                by: errno)
        }
        return descriptor
    }

    /// Gives the file to the owner of the directory, also if root makes it.
    private static func giveToOwner(_ file: String, like database: String) throws(StoreError) {
        var status = stat()
        let directory = database.lastIndex(of: "/").map { String(database[...$0]) } ?? "."
        guard stat(directory, &status) == 0,
            geteuid() != 0 || chown(file, status.st_uid, status.st_gid) == 0,
            chmod(file, status.st_mode & 0o020 == 0 ? 0o600 : 0o660) == 0
        else { throw StoreError(.open, reason: "the owner of the file of rights cannot be set") }
    }

    /// Whether another file, or none, has taken its place.
    var isReplaced: Bool { FileIdentity(path) != identity }

    /// See ``Store/emptyLogInSteps()``.
    func emptyLogInSteps() -> Bool { driver.emptyLogInSteps() }

    private func belongs(to installation: [UInt8]) throws(StoreError) -> Bool {
        var isOurs = false
        try driver.transaction { () throws(StoreError) in
            guard try driver.hasTable("rights_file") else { return }
            try driver.query("SELECT format, installation FROM rights_file", []) {
                row throws(StoreError) in
                let format = try row.integer(0)
                isOurs = try row.blob(1) == installation && format == RightsFile.format
            }
        }
        return isOurs
    }

    // MARK: Changes

    /// The number of the last change that the file has; 0 if there is none.
    func lastChange() throws(StoreError) -> Int64 {
        try driver.transaction { () throws(StoreError) in try transaction.lastAccessChange() }
    }

    /// Whether another process has applied a change already.
    func hasChange(_ number: Int64) throws(StoreError) -> Bool {
        if reader == nil {
            reader = try SQLiteDriver(path: path, readOnly: true, patience: .seconds(5))
        }
        guard let reader else { return false }
        return try reader.transaction { () throws(StoreError) in
            try Transaction(driver: reader).lastAccessChange() >= number
        }
    }

    /// Applies what a transaction of the database has changed, unless the file has later changes from
    /// another process.
    ///
    /// - Returns: the number of the last change that the file has.
    func apply(_ update: RightsUpdate) throws(StoreError) -> Int64 {
        try driver.transaction { () throws(StoreError) in
            let last = try transaction.lastAccessChange()
            let newest = update.changes.last?.number ?? last
            guard newest >= last else { return last }
            try add(update)
            return newest
        }
    }

    /// Does the same within a transaction.
    func add(_ update: RightsUpdate) throws(StoreError) {
        for (number, principal) in update.changes {
            try driver.execute(
                """
                INSERT INTO access_changes (number, principal) VALUES (?, ?)
                ON CONFLICT (number) DO UPDATE SET principal = excluded.principal
                """, [.integer(number), .text(principal)])
        }
        if let first = update.first {
            try driver.execute("DELETE FROM access_changes WHERE number < ?", [.integer(first)])
        }
        for name in update.forgotten { try transaction.blankAccessChanges(of: name) }
        for holder in update.holders { try clear(holder) }
        for (name, since) in update.users {
            try driver.execute(
                "INSERT INTO users (name, created_at_ms) VALUES (?, ?)",
                [.text(name), SQLValue(since)])
        }
        for fact in update.facts {
            try driver.execute(
                "INSERT INTO facts (holder, kind, name, value) VALUES (?, ?, ?, ?)",
                [.text(fact.holder), .text(fact.kind), .text(fact.name), SQLValue(fact.value)])
        }
        if let users = update.everybody { try keepOnly(users) }
        try replace("system_principals", "name, token_hash", update.systems)
        try replace("service_keys", "name, value", update.keys)
    }

    /// Removes the facts of a holder; and if it is a user who has no account any more, what others
    /// had from this user.
    private func clear(_ holder: RightsUpdate.Holder) throws(StoreError) {
        let name = SQLValue.text(holder.name)
        try driver.execute("DELETE FROM facts WHERE holder = ?", [name])
        try driver.execute("DELETE FROM users WHERE name = ?", [name])
        guard holder.isGone else { return }
        try driver.execute(
            """
            DELETE FROM facts WHERE holder IN
                (SELECT holder FROM facts WHERE name = ? AND kind = ?)
            """, [name, .text(RightsUpdate.Kind.maker)])
        try driver.execute(
            "DELETE FROM facts WHERE name = ? AND kind IN (?, ?)",
            [name, .text(RightsUpdate.Kind.friend), .text(RightsUpdate.Kind.service)])
    }

    /// Removes the users who are not among these, and their names.
    private func keepOnly(_ users: Set<String>) throws(StoreError) {
        let known = try transaction.all(
            "SELECT name FROM users UNION SELECT principal FROM access_changes"
        ) { try $0.text(0) }
        for name in known where Name(name) != nil && !users.contains(name) {
            try clear(RightsUpdate.Holder(name: name, isGone: true))
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
}

/// The rights that a transaction has changed, as they are at its end.
struct RightsUpdate {
    /// The numbered changes that the file may not have yet.
    var changes: [(number: Int64, principal: String)] = []
    /// The number of the oldest change still kept; nil if it is unchanged.
    var first: Int64?
    /// Whose facts are replaced.
    var holders: [Holder] = []
    /// Those of the holders that have an account, with the time since when.
    var users: [(name: String, since: Timestamp)] = []
    var facts: [Fact] = []
    /// Names whose changes lose their name.
    var forgotten: Set<String> = []
    /// The names of all users, if some may be gone.
    var everybody: Set<String>?
    /// Nil: unchanged.
    var systems: [String: [UInt8]]?
    var keys: [String: [UInt8]]?

    struct Holder {
        let name: String
        /// Whether it is a user without an account.
        var isGone = false
    }

    struct Fact {
        let holder: String
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

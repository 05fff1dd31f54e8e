public import Bridge
internal import Clocks
internal import Contract
internal import Glibc
internal import Store
internal import Tracking

extension Backup {
    /// Replaces the database with the backup. A file is kept beside it as `….before-restore`; a
    /// server's database is replaced in one transaction. A backup made by an earlier version is
    /// upgraded when the bridge starts.
    ///
    /// - Returns: the names of users whose SOS is missing from the backup; nil if it, or the
    ///   database that it replaces, cannot be read.
    /// - Throws: if a bridge runs, or the file is not a sound database of Kith; then nothing has
    ///   changed.
    public func restore(from path: String) throws(BridgeError) -> [String]? {
        try checkSource(path)
        guard let lock = try BridgeLock(besides: databasePath) else {
            throw BridgeError("A bridge is using this database: stop it first.")
        }
        defer { withExtendedLifetime(lock) {} }
        let files = DatabaseFiles(databasePath)
        // A server's database is replaced from a copy that is checked like a file's.
        let place = address.server == nil ? files.restoring : files.sibling("restoring.db")
        WholeFile.removePart(of: place)
        let file = try WholeFile(place, replacing: true)
        defer { file.discard() }
        try file.copy(path)
        let verdict = try Backup.verdict(on: file.part)
        let known = Backup.callers(in: DatabaseAddress(file.part))
        let lost = Backup.callers(in: address).flatMap { callers in
            known.map { callers.subtracting($0).sorted() }
        }
        // A plain copy of a database in WAL mode creates files beside it when it is read.
        for suffix in DatabaseFiles.suffixes { unlink(file.part + suffix) }
        switch verdict {
        case .sound: break
        case .damaged:
            throw BridgeError("The backup \(path) is damaged: it is incomplete or was modified.")
        case .notADatabase, .notOurs:
            throw BridgeError("The file \(path) is not a backup of Kith's database.")
        case .tooNew:
            throw BridgeError(
                "The backup \(path) was made by a newer version of Kith: restore it with that.")
        }
        guard address.server != nil else {
            try files.replace(with: file)
            return lost
        }
        do throws(StoreError) {
            let source = DatabaseAddress(file.part)
            let now = ClockReading.now.wall
            // It may be of an earlier version.
            _ = try Store.open(source, at: now)
            _ = try Store.move(from: source, to: address, at: now, replacing: true)
        } catch {
            throw BridgeError("The backup cannot be restored: \(error.reason).")
        }
        for suffix in DatabaseFiles.suffixes { unlink(file.part + suffix) }
        return lost
    }

    /// Returns the names of users in an SOS; nil if they cannot be read.
    private static func callers(in database: DatabaseAddress) -> Set<String>? {
        do {
            guard try database.isThere() else { return [] }
            let store = try Store.openReadOnly(database)
            return try store.transaction { transaction in
                var callers: Set<UserID> = []
                try transaction.trackers { saved, _ in
                    if saved.tracker.emergency != nil { callers.insert(saved.tracker.user) }
                }
                return Set(try transaction.userNames().filter { callers.contains($0.key) }.values)
            }
        } catch {
            return nil
        }
    }

    /// - Throws: if the file cannot be a backup, whatever its content.
    private func checkSource(_ path: String) throws(BridgeError) {
        var (source, database) = (stat(), stat())
        guard stat(path, &source) == 0 else {
            throw BridgeError.system("The backup \(path) cannot be read")
        }
        switch source.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw BridgeError("\(path) is a directory: name a backup file in it.")
        default: throw BridgeError("\(path) is not a file.")
        }
        guard source.st_size > 0 else { throw BridgeError("The backup \(path) is empty.") }
        let isThere = stat(databasePath, &database) == 0
        if isThere, source.st_dev == database.st_dev, source.st_ino == database.st_ino {
            throw BridgeError("\(path) is the database itself, and not a backup of it.")
        }
        var log = stat()
        if stat("\(path)-wal", &log) == 0, log.st_size > 0 {
            throw BridgeError(
                "The file \(path) is incomplete without \(path)-wal: make a complete one with "
                    + "kith backup.")
        }
    }
}

internal import Glibc
public import Store

extension DatabaseAddress {
    /// Whether there is a database of Kith.
    ///
    /// - Throws: ``BridgeError`` if the server cannot be asked.
    public func isThere() throws -> Bool {
        guard server != nil else { return access(path, F_OK) == 0 }
        do throws(StoreError) {
            return try Store.schema(of: self) != nil
        } catch {
            throw BridgeError(error)
        }
    }

    /// See ``DatabaseFiles/check(mayBegin:)``. A server reports itself what is wrong.
    package func check(mayBegin: Bool) throws(BridgeError) {
        if server == nil { try DatabaseFiles(path).check(mayBegin: mayBegin) }
    }
}

/// The database file, and the files that may be beside it.
package struct DatabaseFiles {
    let path: String
    /// Whether the file is the database, which otherwise is on a server.
    private let isUsed: Bool
    /// The file that was opened.
    private var identity: FileIdentity?

    package init(_ path: String, isUsed: Bool = true) {
        self.path = path
        self.isUsed = isUsed
    }

    /// The suffixes of the files that SQLite creates beside a database.
    package static let suffixes = ["-wal", "-shm", "-journal"]

    /// The backup that is about to take the database's place. While it is there, neither may be
    /// used: the write-ahead log may belong to the other one.
    package var restoring: String { "\(path).restoring" }
    /// The path of the former database after a restore.
    package var former: String { "\(path).before-restore" }

    /// The directory that contains the database.
    package var directory: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    /// The database and its write-ahead log, in bytes.
    package var size: Int64 {
        [path, "\(path)-wal"].reduce(0) { sum, file in
            var status = stat()
            return stat(file, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }

    /// The path of another file in that directory.
    package func sibling(_ name: String) -> String {
        path.lastIndex(of: "/").map { path[...$0] + name } ?? name
    }

    /// - Parameter mayBegin: whether a database may be created if there never was one.
    /// - Throws: if the file must not be opened: all would seem well, but the stored data would be
    ///   gone.
    package func check(mayBegin: Bool = true) throws(BridgeError) {
        if access(restoring, F_OK) == 0 {
            throw BridgeError(
                "A restore of the database was interrupted: start Kith, which completes it, or run "
                    + "it again.")
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        if !isThere, errno != ENOENT {
            throw BridgeError.system("The database \(path) cannot be reached")
        }
        if isThere, status.st_size > 0 { return }
        guard let sign = signOfUse else {
            if isThere || mayBegin { return }
            throw DatabaseFiles.noData(in: directory)
        }
        throw BridgeError(
            "The database \(path) is \(isThere ? "empty" : "missing"), although it has been used: "
                + "restore a backup (kith restore), or remove \(isThere ? "it and " : "")\(sign) "
                + "to start with a new one.")
    }

    /// The error for a command with the wrong directory, or before the first start.
    package static func noData(in directory: String) -> BridgeError {
        let name =
            directory.count > 1 && directory.hasSuffix("/") ? directory.dropLast() : directory[...]
        return BridgeError(
            "There is no Kith data in \(name): specify its directory with --data or KITH_DATA, or "
                + "run kith up.")
    }

    /// A file that exists only if a database was in use here.
    private var signOfUse: String? {
        [SystemTokens(besides: path).ownFile, "\(path)-wal"].first { access($0, F_OK) == 0 }
    }

    // MARK: Permissions

    /// Restricts access to the database and the files that SQLite creates beside it to their owner,
    /// whatever the umask was; if the directory is writable by its group, the group keeps access:
    /// for a Mosquitto that runs as a user of its own (docs/production.md).
    ///
    /// - Returns: whether others had access until now.
    package func closeToOthers() throws(BridgeError) -> Bool {
        var status = stat()
        guard stat(directory, &status) == 0 else {
            throw BridgeError.system("The directory of the database cannot be read")
        }
        let allowed: mode_t = status.st_mode & 0o020 == 0 ? 0o600 : 0o660
        var wasOpen = false
        let databases = [path, DatabaseAddress(path).rightsPath]
        let files = databases.flatMap { file in
            [file] + DatabaseFiles.suffixes.map { file + $0 }
        }
        for file in files {
            guard stat(file, &status) == 0, status.st_mode & 0o777 & ~allowed != 0 else { continue }
            guard chmod(file, status.st_mode & allowed) == 0 else {
                // The file belongs to another user and is left to them.
                if errno == EPERM { continue }
                throw BridgeError.system("The database's permissions cannot be set")
            }
            wasOpen = true
        }
        return wasOpen
    }

    // MARK: Location

    mutating func noteIdentity() { identity = FileIdentity(path) }

    /// Throws if the file was moved or removed: anything still written into it would be lost.
    func checkIdentity() throws(StoreError) {
        guard !isUsed || FileIdentity(path) == identity else {
            throw StoreError.moved
        }
    }

    /// Whether another file has taken the database's place.
    var isReplaced: Bool { isUsed && FileIdentity(path).map { $0 != identity } ?? false }

    // MARK: Restoring

    /// Moves the database away, and the file into its place.
    ///
    /// After an interruption ``restoring`` still exists, and the next start of a bridge completes
    /// it.
    package func replace(with file: WholeFile) throws(BridgeError) {
        if access(restoring, F_OK) != 0 {
            for suffix in [""] + DatabaseFiles.suffixes { unlink(former + suffix) }
        }
        try giveToOwner(file.part)
        try file.keep()
        try putInPlace()
    }

    /// Completes a restore that was interrupted after its file was complete; removes the remains of
    /// one that was interrupted earlier. The caller must hold the ``BridgeLock``.
    ///
    /// - Returns: whether the database was replaced.
    package func finishRestore() throws(BridgeError) -> Bool {
        WholeFile.removePart(of: restoring)
        guard access(restoring, F_OK) == 0 else { return false }
        try putInPlace()
        return true
    }

    /// Moves the log first: applied to another database, it would destroy that.
    private func putInPlace() throws(BridgeError) {
        for suffix in DatabaseFiles.suffixes.reversed() + [""] {
            guard rename(path + suffix, former + suffix) == 0 || errno == ENOENT else {
                throw BridgeError.system("The database cannot be moved away")
            }
        }
        guard rename(restoring, path) == 0 else {
            throw BridgeError.system("The backup cannot be put in place")
        }
        try WholeFile.saveDirectory(of: path)
    }

    /// Gives the new file the owner and permissions of the old one, or of the directory if there is
    /// no old one.
    package func giveToOwner(_ file: String) throws(BridgeError) {
        var status = stat()
        var mode: mode_t = 0o600
        if stat(path, &status) == 0 {
            mode = status.st_mode & 0o666
        } else if stat(directory, &status) != 0 {
            throw BridgeError.system("The directory of the database cannot be read")
        }
        let isOwned = status.st_uid == geteuid() || geteuid() != 0
        guard isOwned || chown(file, status.st_uid, status.st_gid) == 0,
            chmod(file, mode) == 0
        else { throw BridgeError.system("The backup's owner cannot be set") }
    }
}

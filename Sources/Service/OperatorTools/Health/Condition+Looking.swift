internal import Bridge
internal import Contract
internal import Glibc
internal import Store
internal import Tracking

extension Condition.DataDirectory {
    /// Inspects a data directory and Kith's files in it.
    public init(_ path: String) {
        var status = stat()
        let isThere = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        self.init(
            path: path, isThere: isThere, owner: isThere ? userName(status.st_uid) : "",
            asker: userName(geteuid()), isReadable: access(path, R_OK | X_OK) == 0,
            mode: Int(status.st_mode & 0o7777))
        guard isThere else { return }
        isUsed = access("\(path)/tokens/bridge", F_OK) == 0
        let disk = Disk(path)
        (free, total) = (disk?.free, disk?.total)
        let owner = status.st_uid
        for name in Condition.DataDirectory.files(in: path) {
            // The target of a link, such as settings in /etc, is not part of this directory.
            guard lstat("\(path)/\(name)", &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
                continue
            }
            if status.st_uid != owner { foreignFiles.append(name) }
            // The certificates are public; their keys are not.
            let isSecret = !name.hasPrefix("certificates") || name.hasSuffix(".key")
            if isSecret, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o004 != 0 {
                openFiles.append(name)
            }
            if name.hasPrefix("tokens/"), status.st_size == 0 { emptyFiles.append(name) }
        }
    }

    /// Returns Kith's own files: relative paths, sorted.
    private static func files(in path: String) -> [String] {
        let own = Disk.names(in: path).filter { $0.hasPrefix("kith.db") || $0 == "kith.yaml" }
        let folders = ["tokens", "keys", "certificates", "broker"]
        let parts = folders.flatMap { folder in
            Disk.names(in: "\(path)/\(folder)").map { "\(folder)/\($0)" }
        }
        return (own + parts).sorted()
    }
}

/// Returns the name of a user of this machine, or the number.
func userName(_ user: uid_t) -> String {
    guard let entry = getpwuid(user), let name = entry.pointee.pw_name else { return "\(user)" }
    return String(cString: name)
}

extension Condition.Database {
    /// On a PostgreSQL server.
    ///
    /// - Parameter path: that of the database if it were a file: tokens and keys are beside it.
    public init(onServer server: String, _ path: String) {
        self.init(
            bytes: 0, logBytes: 0, schema: nil, newestSchema: Store.newestSchema, accounts: nil,
            groups: nil, isWritable: true, isOnServer: true)
        do throws(StoreError) {
            let figures = try Store.figures(ofServer: server)
            (schema, accounts, groups) = (figures?.schema, figures?.accounts, figures?.groups)
            bytes = figures?.bytes ?? 0
            decider = figures?.decider
            if let hash = figures?.bridgeHash, hash != SystemTokens.ownHash(besides: path) {
                foreign.append("tokens")
            }
            let keys = SealingKeyFile(besides: path).path
            if figures?.hasSealedVitals == true, access(keys, F_OK) != 0 { foreign.append("keys") }
            if figures == nil { failure = "it has no database of Kith yet" }
        } catch {
            failure = error.reason
        }
    }

    /// Nil if there is no database, or an empty one.
    ///
    /// - Parameter isInUse: whether a bridge runs, which has created the files that readers need.
    public init?(_ path: String, isInUse: Bool) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_size > 0 else { return nil }
        let bytes = Int64(status.st_size)
        let log = stat("\(path)-wal", &status) == 0 ? Int64(status.st_size) : 0
        self.init(
            bytes: bytes, logBytes: log, schema: nil, newestSchema: Store.newestSchema,
            accounts: nil, groups: nil, isWritable: access(path, W_OK) == 0)
        let former = DatabaseFiles(path).former
        copies = (EarlierCopy.all(of: path).map(\.path) + [former]).compactMap { copy in
            var status = stat()
            guard stat(copy, &status) == 0 else { return nil }
            // A restore renames the database, which may have been last written long before.
            let made = copy == former ? status.st_ctim : status.st_mtim
            return Copy(
                name: String(copy.split(separator: "/").last ?? ""),
                madeAt: Timestamp(milliseconds: Int64(made.tv_sec) * 1000),
                isFromRestore: copy == former)
        }
        read(path, isInUse: isInUse || log > 0)
    }

    /// Finds the other programs that have locked the database for writing.
    ///
    /// - Parameter process: the bridge's process.
    public mutating func lookForWriters(_ path: String, besides process: Int64?) {
        writers = ProcessFiles.writers(of: [path, "\(path)-shm"], besides: process)
    }

    /// Reads the database; if it is not in use, without the files that SQLite would create beside
    /// it.
    private mutating func read(_ path: String, isInUse: Bool) {
        let figures: Store.Figures?
        do throws(StoreError) {
            figures = try Store.figures(of: path, isInUse: isInUse)
        } catch {
            return
        }
        schema = figures?.schema
        accounts = figures?.accounts
        groups = figures?.groups
    }
}

extension Condition.Bridge {
    /// Nil if no bridge runs on the database.
    public init?(on databasePath: String) {
        guard case .bridge(let note) = BridgeNote.holder(besides: databasePath) else { return nil }
        self.init(
            process: note?.process, since: note?.since,
            build: note.map { Condition.Build(version: $0.version, commit: $0.commit) })
        isStandingBy = note?.isStandingBy ?? false
        guard let process, let arguments = ProcessFiles.arguments(of: process),
            arguments.first?.hasSuffix("kith") ?? false
        else {
            // It may be in a container, with its own process numbers.
            return
        }
        user = ProcessFiles.user(of: process)
        isReplaced = ProcessFiles.isReplaced(process)
        phonesName = ProcessFiles.value(of: "--for-phones", in: arguments)
        servesPage = arguments.dropFirst().first == "up"
    }

    /// Returns the port that the command line of `kith up` sets in place of the configuration.
    public func port(_ option: String) -> Int? {
        guard let process, let arguments = ProcessFiles.arguments(of: process) else { return nil }
        return ProcessFiles.value(of: option, in: arguments).flatMap { Int($0) }
    }
}

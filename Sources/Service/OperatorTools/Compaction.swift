public import Bridge
internal import Glibc
internal import Store

/// Returns the room of deleted rows in a database to the disk, while no bridge runs.
public struct Compaction {
    let databasePath: String

    public init(of databasePath: String) { self.databasePath = databasePath }

    /// The size of the database in bytes.
    public struct Outcome: Hashable, Sendable {
        public let before: Int64
        public let after: Int64
        /// Whether another program was reading, so that the file becomes smaller only later.
        public let isPending: Bool
    }

    /// - Throws: if a bridge runs, or the disk has too little room for it; then nothing has
    ///   changed.
    public func run() throws(BridgeError) -> Outcome {
        try DatabaseFiles(databasePath).check(mayBegin: false)
        guard let lock = try BridgeLock(besides: databasePath) else {
            throw BridgeError(
                "A bridge is using this database: stop it, compact, and start it again. Meanwhile "
                    + "the broker can keep running, and queues messages.")
        }
        defer { withExtendedLifetime(lock) {} }
        // SQLite makes its copy there, where the free room was checked.
        setenv("SQLITE_TMPDIR", DatabaseFiles(databasePath).directory, 1)
        let before = try said { () throws(StoreError) in try Store.room(of: databasePath) }
        try checkRoom(before)
        let isSmall = try said { () throws(StoreError) in try Store.compact(databasePath) }
        let after = try said { () throws(StoreError) in try Store.room(of: databasePath) }
        // No file stays beside it, unless another process has it open.
        try said { () throws(StoreError) in try Store.close(databasePath) }
        return Outcome(before: before.size, after: after.size, isPending: !isSmall)
    }

    private func said<Value>(_ body: () throws(StoreError) -> Value) throws(BridgeError) -> Value {
        do throws(StoreError) {
            return try body()
        } catch {
            throw BridgeError("The database was not compacted: \(StorageFailure(error).sentence).")
        }
    }

    private func checkRoom(_ room: Store.Room) throws(BridgeError) {
        guard let free = Disk(databasePath)?.free else {
            throw BridgeError.system("The free disk space cannot be determined")
        }
        guard free < room.neededToCompact else { return }
        throw BridgeError(
            "Compacting needs up to \(room.neededToCompact >> 20) MiB of disk space, and \(free >> 20) MiB are free."
        )
    }
}

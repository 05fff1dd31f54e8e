public import Bridge
internal import Clocks
internal import Glibc
public import Store

/// Copies an installation's database to another kind of database, while no bridge runs.
public struct Relocation {
    let source: DatabaseAddress
    let target: DatabaseAddress

    public init(from source: DatabaseAddress, to target: DatabaseAddress) {
        (self.source, self.target) = (source, target)
    }

    /// - Returns: the number of rows of each table.
    /// - Throws: if a bridge runs, or it cannot be copied; then the target has nothing of it.
    public func run() throws(BridgeError) -> [(table: String, rows: Int64)] {
        guard (source.server == nil) != (target.server == nil) else {
            throw BridgeError(
                "The database is copied between SQLite and PostgreSQL: between two files use kith "
                    + "backup, between two servers pg_dump and pg_restore.")
        }
        guard let lock = try BridgeLock(besides: source.path) else {
            throw BridgeError(
                "A bridge is using this database: stop it first. Meanwhile the broker can keep "
                    + "running, and queues messages.")
        }
        defer { withExtendedLifetime(lock) {} }
        if target.server == nil, access(target.path, F_OK) == 0 {
            throw BridgeError("\(target.path) exists already: move it away first.")
        }
        let moved: [(table: String, rows: Int64)]
        do throws(StoreError) {
            // No bridge on another machine may decide meanwhile.
            let claim = source.server == nil ? nil : try Store.claim(source)
            defer { withExtendedLifetime(claim) {} }
            let counts = try Store.move(from: source, to: target, at: ClockReading.now.wall)
            if target.server == nil { try Store.close(target.path) }
            moved = counts
        } catch {
            if target.server == nil {
                for suffix in [""] + DatabaseFiles.suffixes { unlink(target.path + suffix) }
            }
            throw BridgeError("The database was not copied: \(error.reason).")
        }
        if target.server == nil {
            try DatabaseFiles(target.path).giveToOwner(target.path)
            _ = try DatabaseFiles(target.path).closeToOthers()
        }
        return moved
    }
}

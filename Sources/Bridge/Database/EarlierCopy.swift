internal import Glibc
package import Logging
internal import Store

/// The copy of the database that is made before a newer version changes its schema, so that the
/// version before can be brought back: `kith.db.before-schema-25`, a file complete by itself.
package struct EarlierCopy {
    private let databasePath: String
    /// The bytes that are free in a directory; nil if that is not known.
    package var freeBytes: (String) -> Int64? = { Disk($0)?.free }

    /// How many of these copies are kept: the newest are.
    package static let kept = 2
    /// What is to be free beside the copy, in bytes: for what the migration writes.
    package static let reserve: Int64 = 64 << 20
    /// From this size on, in bytes, the log says beforehand that a copy is being made.
    static let large: Int64 = 1 << 30

    package init(of databasePath: String) { self.databasePath = databasePath }

    /// The schema of a database that this version would change; nil if there is no database yet, or
    /// it is up to date.
    ///
    /// - Throws: if it cannot be read.
    package func schemaBefore() throws(BridgeError) -> Int64? {
        var status = stat()
        guard stat(databasePath, &status) == 0, status.st_size > 0 else { return nil }
        do throws(StoreError) {
            guard let schema = try Store.schema(of: databasePath), schema < Store.newestSchema
            else {
                return nil
            }
            return schema
        } catch {
            throw BridgeError(error)
        }
    }

    /// Makes the copy if the database is of an earlier version. Whoever calls holds the lock.
    ///
    /// - Returns: its path; nil if there is nothing to copy.
    /// - Throws: if it cannot be made, and then nothing may change the database.
    @discardableResult
    package func make(_ logger: Logger? = nil) throws(BridgeError) -> String? {
        guard let schema = try schemaBefore() else { return nil }
        let path = "\(databasePath).before-schema-\(Store.newestSchema)"
        let size = DatabaseFiles(databasePath).size
        try checkRoom(for: size, schema)
        if size >= EarlierCopy.large {
            logger?.notice(
                "The database is of an earlier version: before it is changed a copy is made. Messages wait at the broker meanwhile.",
                metadata: ["megabytes": "\(size >> 20)"])
        }
        let start = ContinuousClock.now
        let file = try WholeFile(path, replacing: true)
        defer { file.discard() }
        do throws(StoreError) {
            try Store.copy(databasePath, into: file.part)
        } catch {
            throw BridgeError(
                "The copy that is made before the database is changed cannot be written: "
                    + "\(StorageFailure(error).sentence).")
        }
        try file.keep()
        removeOlder()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        logger?.notice(
            "The database is brought up to date; a copy of it as it was is kept beside it.",
            metadata: [
                "file": "\(path.split(separator: "/").last ?? "")", "from": "\(schema)",
                "to": "\(Store.newestSchema)", "megabytes": "\(size >> 20)",
                "seconds": "\((seconds * 10).rounded() / 10)",
            ])
        return path
    }

    private func checkRoom(for size: Int64, _ schema: Int64) throws(BridgeError) {
        let directory = DatabaseFiles(databasePath).directory
        guard let free = freeBytes(directory), free < size + EarlierCopy.reserve else { return }
        throw BridgeError(
            "The database is of an earlier version (schema \(schema)) and is copied before it is "
                + "changed, for which there is no room: \((size + EarlierCopy.reserve) >> 20) MB are "
                + "needed and \(free >> 20) are free. Make room, or start the earlier version again."
        )
    }

    private func removeOlder() {
        for copy in EarlierCopy.all(of: databasePath).dropLast(EarlierCopy.kept) {
            unlink(copy.path)
        }
    }

    /// The copies beside a database, the oldest first.
    package static func all(of databasePath: String) -> [(schema: Int64, path: String)] {
        let directory = DatabaseFiles(databasePath).directory
        let prefix = "\(databasePath.split(separator: "/").last ?? "").before-schema-"
        let copies = Disk.names(in: directory).compactMap { name -> (Int64, String)? in
            guard name.hasPrefix(prefix), let schema = Int64(name.dropFirst(prefix.count)) else {
                return nil
            }
            return (schema, directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)")
        }
        return copies.sorted { $0.0 < $1.0 }
    }
}

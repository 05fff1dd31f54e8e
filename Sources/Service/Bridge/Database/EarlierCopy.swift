internal import Glibc
package import Logging
package import Store

/// The copy of the database that is made before a newer version changes its schema, so that the
/// previous version can be restored: `kith.db.before-schema-25`, a file complete by itself.
package struct EarlierCopy {
    private let address: DatabaseAddress
    private var databasePath: String { address.path }
    /// The free bytes in a directory; nil if unknown.
    package var freeBytes: (String) -> Int64? = { Disk($0)?.free }

    /// The number of copies kept: the newest.
    package static let kept = 2
    /// The space that must be free besides the copy, in bytes, for the migration's writes.
    package static let reserve: Int64 = 64 << 20
    /// The size in bytes from which the log announces the copy.
    static let large: Int64 = 1 << 30

    package init(of address: DatabaseAddress) { self.address = address }

    package init(of databasePath: String) { self.init(of: DatabaseAddress(databasePath)) }

    /// The schema of a database that this version would change; nil if there is no database yet, or
    /// it is up to date.
    ///
    /// - Throws: if it cannot be read.
    package func schemaBefore() throws(BridgeError) -> Int64? {
        var status = stat()
        let isFile = address.server == nil
        guard !isFile || stat(databasePath, &status) == 0 && status.st_size > 0 else { return nil }
        do throws(StoreError) {
            guard let schema = try Store.schema(of: address), schema < Store.newestSchema
            else {
                return nil
            }
            return schema
        } catch {
            throw BridgeError(error)
        }
    }

    /// Makes the copy if the database is a file of an earlier version. The caller must hold the lock.
    ///
    /// - Returns: its path; nil if there is nothing to copy.
    /// - Throws: if it cannot be made; the database must not be changed then.
    @discardableResult
    package func make(_ logger: Logger? = nil) throws(BridgeError) -> String? {
        guard address.server == nil, let schema = try schemaBefore() else { return nil }
        let path = "\(databasePath).before-schema-\(Store.newestSchema)"
        let size = DatabaseFiles(databasePath).size
        try checkRoom(for: size, schema)
        if size >= EarlierCopy.large {
            logger?.notice(
                "The database is from an earlier version: it is copied before it is upgraded. Messages wait at the broker meanwhile.",
                metadata: ["megabytes": "\(size >> 20)"])
        }
        let start = ContinuousClock.now
        let file = try WholeFile(path, replacing: true)
        defer { file.discard() }
        do throws(StoreError) {
            try Store.copy(databasePath, into: file.part)
        } catch {
            throw BridgeError(
                "The copy made before upgrading the database cannot be written: "
                    + "\(StorageFailure(error).sentence).")
        }
        try file.keep()
        removeOlder()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        logger?.notice(
            "The database is being upgraded; a copy of the earlier version is kept beside it.",
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
            "The database is from an earlier version (schema \(schema)) and is copied before it is "
                + "upgraded, but there is no space: \((size + EarlierCopy.reserve) >> 20) MB are "
                + "needed and \(free >> 20) are free. Free space, or start the earlier version "
                + "again.")
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

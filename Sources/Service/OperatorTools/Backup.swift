public import Bridge
internal import Clocks
internal import Glibc
public import Store

/// Backups of a database, each a single file: made while the bridge runs, and restored while none
/// does.
public struct Backup: Sendable {
    let address: DatabaseAddress
    var databasePath: String { address.path }
    /// Returns the free bytes in a directory; nil if unknown.
    var freeBytes: @Sendable (String) -> Int64? = { Disk($0)?.free }

    public init(of address: DatabaseAddress) { self.address = address }

    /// - Parameters:
    ///   - path: where the backup is written; it is either complete or not there.
    ///   - replacing: whether an existing file of that name may be replaced.
    public func save(to path: String, replacing: Bool) throws(BridgeError) {
        try address.check(mayBegin: false)
        let file = try WholeFile(path, replacing: replacing)
        defer { file.discard() }
        do throws(StoreError) {
            try write(into: file.part)
        } catch {
            throw BridgeError("The backup cannot be written: \(StorageFailure(error).sentence).")
        }
        switch try Backup.verdict(on: file.part) {
        case .sound: try file.keep()
        case .damaged, .notADatabase:
            throw BridgeError("The database is damaged, so no backup was made.")
        case .notOurs, .tooNew:
            throw BridgeError("This is not a database of this version of Kith.")
        }
    }

    /// Writes the database into an empty file; one on a server is read in one snapshot.
    private func write(into file: String) throws(StoreError) {
        guard address.server != nil else { return try Store.copy(databasePath, into: file) }
        defer { for suffix in DatabaseFiles.suffixes { unlink(file + suffix) } }
        _ = try Store.move(
            from: address, to: DatabaseAddress(file), at: ClockReading.now.wall, replacing: true)
        try Store.close(file)
    }

    static func verdict(on path: String) throws(BridgeError) -> Store.Verdict {
        do throws(StoreError) {
            return try Store.verdict(on: path)
        } catch {
            throw BridgeError("The file cannot be checked: \(StorageFailure(error).sentence).")
        }
    }
}

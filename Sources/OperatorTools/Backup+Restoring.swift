public import Bridge
internal import Glibc
internal import Store

extension Backup {
    /// Puts the backup in the place of the database, which is kept beside it as `….before-restore`.
    ///
    /// - Throws: if a bridge runs, or the file is not a sound database of Kith; then nothing has
    ///   changed.
    public func restore(from path: String) throws(BridgeError) {
        guard let lock = try BridgeLock(besides: databasePath) else {
            throw BridgeError("A bridge is using this database: stop it first.")
        }
        defer { withExtendedLifetime(lock) {} }
        let file = try WholeFile(DatabaseFiles(databasePath).restoring, replacing: true)
        defer { file.discard() }
        try file.copy(path)
        let verdict = try Backup.verdict(on: file.part)
        // A plain copy of a database in WAL mode creates files beside it when it is read.
        for suffix in DatabaseFiles.suffixes { unlink(file.part + suffix) }
        switch verdict {
        case .sound: break
        case .damaged: throw BridgeError("The backup \(path) is damaged.")
        case .notADatabase, .notOurs:
            throw BridgeError("The file \(path) is not a backup of Kith's database.")
        case .tooNew: throw BridgeError("The backup \(path) was made by a newer version of Kith.")
        }
        try DatabaseFiles(databasePath).replace(with: file)
    }
}

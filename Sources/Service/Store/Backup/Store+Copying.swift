internal import GRDB
internal import Tracking

extension Store {
    /// Copies a snapshot of the database into an empty file. The bridge may write during the copy
    /// without waiting; the copy needs no other file beside it.
    public static func copy(_ path: String, into copy: String) throws(StoreError) {
        do {
            var reading = Configuration()
            reading.readonly = true
            reading.busyMode = .timeout(5)
            let source = try DatabaseQueue(path: path, configuration: reading)
            var writing = Configuration()
            writing.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let target = try DatabaseQueue(path: copy, configuration: writing)
            try source.backup(to: target)
            try target.writeWithoutTransaction { database in
                // The bridge turns the write-ahead log on again.
                _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
            }
            try target.close()
        } catch {
            throw StoreError(.copy, error)
        }
    }

    /// The result of checking whether a file is a database of Kith.
    public enum Verdict: Hashable, Sendable {
        case sound
        case notADatabase
        /// A database, but of another program.
        case notOurs
        case damaged
        /// Made by a newer version of Kith.
        case tooNew
    }

    /// Reads the whole file, and changes nothing.
    public static func verdict(on path: String) throws(StoreError) -> Verdict {
        do throws(StoreError) {
            let driver = try SQLiteDriver(path: path, readOnly: true, patience: .seconds(5))
            try driver.check()
            guard try driver.hasTable("migrations") else { return .notOurs }
            let version = try Store(driver: driver).transaction { try $0.schemaVersion() }
            guard version > 0 else { return .notOurs }
            return version > Migration.newest ? .tooNew : .sound
        } catch {
            switch ResultCode(rawValue: error.code).primaryResultCode {
            case .SQLITE_NOTADB: return .notADatabase
            case .SQLITE_CORRUPT: return .damaged
            default: throw error
            }
        }
    }
}

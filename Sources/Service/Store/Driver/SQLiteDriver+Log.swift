internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Numbers
internal import Tracking

/// The write-ahead log, and its checkpoints.
extension SQLiteDriver {
    /// The number of log pages after which it is moved.
    private static let logPages = 4000
    /// The same on a full disk.
    private static let smallLogPages = 250

    /// Makes SQLite report the log's length after each transaction, in place of its own
    /// `wal_autocheckpoint`.
    func watchLog(_ database: Database) {
        _ = sqlite3_wal_hook(
            database.sqliteConnection,
            { driver, connection, _, pages in
                guard let driver, let connection else { return SQLITE_OK }
                Unmanaged<SQLiteDriver>.fromOpaque(driver).takeUnretainedValue()
                    .noteLog(of: pages, connection)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Moves a long log in the background while transactions continue, and then the rest
    /// immediately, which takes a few milliseconds. If the background does not keep up, everything
    /// is moved immediately.
    private func noteLog(of pages: Int32, _ connection: OpaquePointer) {
        let limit = isLogSmall ? SQLiteDriver.smallLogPages : SQLiteDriver.logPages
        guard pages >= limit else { return }
        if !isLogSmall, pages < 2 * limit, checkpoint.isUnderWay() { return }
        checkpoint.reset()
        // Where readers or a full disk prevent it, the next transaction tries again.
        _ = sqlite3_wal_checkpoint_v2(
            connection, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    }

    func keepLogSmall(_ isSmall: Bool) { isLogSmall = isSmall }

    var logBytes: Int64 {
        var status = stat()
        return stat("\(queue.path)-wal", &status) == 0 ? Int64(status.st_size) : 0
    }

    func emptyLog() throws(StoreError) -> Bool {
        do {
            return try queue.inDatabase { try SQLiteDriver.truncateLog($0) }
        } catch {
            throw StoreError(.commit, error)
        }
    }

    func emptyLogInSteps() -> Bool {
        if logBytes == 0 { return true }
        guard !checkpoint.isUnderWay() else { return false }
        // It has moved everything but the transactions committed in the meantime.
        checkpoint.reset()
        do {
            return try queue.inDatabase { database in
                // Otherwise this would wait for readers.
                sqlite3_busy_timeout(database.sqliteConnection, 0)
                defer {
                    sqlite3_busy_timeout(
                        database.sqliteConnection, Int32(clamping: patience.milliseconds))
                }
                return try SQLiteDriver.truncateLog(database)
            }
        } catch {
            // Nothing is lost; if the disk has failed, the next transaction reports it.
            return false
        }
    }

    /// - Returns: false if it had to give up, according to the first column.
    private static func truncateLog(_ database: Database) throws -> Bool {
        try Int64.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }
}

internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Numbers
internal import Tracking

/// The write-ahead log, and when it is moved into the database.
extension SQLiteDriver {
    /// The pages of the log after which it is moved.
    private static let logPages = 4000
    /// The same on a full disk.
    private static let smallLogPages = 250

    /// Has SQLite tell after each transaction how long the log is, in place of its own
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

    /// A long log is moved in the background while transactions go on, and then the rest of it at
    /// once, which takes a few milliseconds. If the background does not keep up, it is all moved at
    /// once.
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
        // It has moved everything but what was committed meanwhile.
        checkpoint.reset()
        do {
            return try queue.inDatabase { database in
                // A reader would otherwise be waited for.
                sqlite3_busy_timeout(database.sqliteConnection, 0)
                defer {
                    sqlite3_busy_timeout(
                        database.sqliteConnection, Int32(clamping: patience.milliseconds))
                }
                return try SQLiteDriver.truncateLog(database)
            }
        } catch {
            // Nothing is lost; if the disk has failed, the next transaction says so.
            return false
        }
    }

    /// - Returns: false if it had to give up, as the first column says.
    private static func truncateLog(_ database: Database) throws -> Bool {
        try Int64.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
    }
}

internal import GRDB

extension SQLiteDriver {
    /// Reads all of the database; it takes as long as it is large.
    ///
    /// - Throws: where anything in it is damaged.
    func check() throws(StoreError) {
        let verdict: String?
        do {
            verdict = try queue.inDatabase {
                try String.fetchOne($0, sql: "PRAGMA integrity_check(1)")
            }
        } catch {
            throw StoreError(.check, error)
        }
        guard verdict == "ok" else {
            // SQLite's own words may hold what stands in a row.
            throw StoreError(
                .check, code: ResultCode.SQLITE_CORRUPT.rawValue, reason: "it is damaged")
        }
    }

    func hasTable(_ name: String) throws(StoreError) -> Bool {
        do {
            return try queue.inDatabase { try $0.tableExists(name) }
        } catch {
            throw StoreError(.check, error)
        }
    }
}

internal import GRDB

extension SQLiteDriver {
    /// Reads the whole database, which takes time in proportion to its size.
    ///
    /// - Throws: if anything in it is damaged.
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
            // SQLite's own message may contain data of a row.
            throw StoreError(
                .check, code: ResultCode.SQLITE_CORRUPT.rawValue, reason: "it is damaged")
        }
    }

    func hasTable(_ name: String) throws(StoreError) -> Bool {
        do {
            if let database { return try database.tableExists(name) }
            return try queue.inDatabase { try $0.tableExists(name) }
        } catch {
            throw StoreError(.check, error)
        }
    }
}

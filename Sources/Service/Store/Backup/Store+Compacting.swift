internal import GRDB

extension Store {
    /// A database's disk usage, in bytes.
    public struct Room: Hashable, Sendable {
        /// The database file.
        public let size: Int64
        /// The part left by deleted rows: new rows reuse it, but the file does not shrink.
        public let unused: Int64

        /// The maximum additional space for compacting: a copy of the used part, and the same again
        /// in the write-ahead log.
        public var neededToCompact: Int64 { 2 * (size - unused) + Room.margin }

        private static let margin: Int64 = 1 << 20
    }

    /// Returns a database's disk usage.
    public static func room(of path: String) throws(StoreError) -> Room {
        try SQLiteDriver(path: path, readOnly: true, patience: .seconds(5)).room()
    }

    /// Rewrites the database without the space left by deleted rows. No bridge may run. If
    /// interrupted, the database is unchanged.
    ///
    /// - Returns: false if the file could not be shrunk yet, because another program was reading
    ///   it; it will be when the bridge next ends.
    public static func compact(_ path: String) throws(StoreError) -> Bool {
        let driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5))
        try driver.compact()
        return try driver.emptyLog()
    }
}

extension SQLiteDriver {
    fileprivate func room() throws(StoreError) -> Store.Room {
        do {
            return try queue.inDatabase { database in
                func value(_ pragma: String) throws -> Int64 {
                    try Int64.fetchOne(database, sql: "PRAGMA \(pragma)") ?? 0
                }
                let page = try value("page_size")
                return Store.Room(
                    size: try value("page_count") * page,
                    unused: try value("freelist_count") * page)
            }
        } catch {
            throw StoreError(.query, error)
        }
    }

    fileprivate func compact() throws(StoreError) {
        do {
            try queue.inDatabase { database in
                // The copy may be larger than memory.
                try database.execute(sql: "PRAGMA temp_store = FILE")
                try database.execute(sql: "VACUUM")
            }
        } catch {
            throw StoreError(.copy, error)
        }
    }
}

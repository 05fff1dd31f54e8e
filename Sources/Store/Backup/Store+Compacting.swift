internal import GRDB

extension Store {
    /// What a database takes on the disk, in bytes.
    public struct Room: Hashable, Sendable {
        /// The database file.
        public let size: Int64
        /// What of it deleted rows have left: new rows go there, but the file stays as large.
        public let unused: Int64

        /// What compacting needs besides, at most: a copy of what is used, and the same once more in
        /// the write-ahead log.
        public var neededToCompact: Int64 { 2 * (size - unused) + Room.margin }

        private static let margin: Int64 = 1 << 20
    }

    /// How much room a database takes.
    public static func room(of path: String) throws(StoreError) -> Room {
        try SQLiteDriver(path: path, readOnly: true, patience: .seconds(5)).room()
    }

    /// Writes the database anew, without the room that deleted rows have left in it. No bridge may
    /// run. If it is interrupted, the database is as it was.
    ///
    /// - Returns: false if the file could not be made smaller yet, because another program was
    ///   reading it; it will be when the bridge ends next.
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
                // The copy may be larger than the memory.
                try database.execute(sql: "PRAGMA temp_store = FILE")
                try database.execute(sql: "VACUUM")
            }
        } catch {
            throw StoreError(.copy, error)
        }
    }
}

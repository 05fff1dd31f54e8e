public import Tracking

extension Store {
    /// Copies everything from a SQLite file to a PostgreSQL database or back, in one transaction of
    /// the target. The source is not changed, and no bridge may run on either.
    ///
    /// - Parameters:
    ///   - source: a database of this version.
    ///   - target: an empty database, or none yet.
    ///   - replacing: whether the target may contain something, which is deleted.
    /// - Returns: the number of rows of each table, which source and target have in common.
    public static func move(
        from source: DatabaseAddress, to target: DatabaseAddress, at now: Timestamp,
        replacing: Bool = false
    ) throws(StoreError) -> [(table: String, rows: Int64)] {
        let (old, new) = (try openReadOnly(source), try openUnchanged(target))
        if target.server != nil { try new.driver.claim() }
        try new.transaction { try $0.migrate(at: now.milliseconds) }
        try old.checkVersion()
        return try old.transaction { from in
            try new.transaction { to in
                let isEmpty = try to.rows(of: "users") == 0 && to.rows(of: "fixes") == 0
                guard isEmpty || replacing else {
                    throw StoreError(.copy, reason: "the target is not empty")
                }
                to.driver.sendTogether(true)
                defer { to.driver.sendTogether(false) }
                let counts = try from.copyTables(
                    to: to, layout: source.server == nil ? from : to)
                // A file of rights that knew the former content is made again.
                var random = SystemRandomNumberGenerator()
                let key = (0..<FiledRights.keyLength).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }
                try to.setServiceKey(FiledRights.key, key)
                return counts
            }
        }
    }
}

extension Transaction {
    /// A table as SQLite describes it.
    private struct Layout {
        let name: String
        let columns: [(name: String, type: String)]
        /// The tables that it refers to.
        let parents: Set<String>
        /// The column whose values the database assigns; nil if there is none.
        let number: String?
        /// Whether SQLite never assigns a number again.
        let isAutoincrement: Bool
    }

    /// - Parameter layout: the one of both databases that is in SQLite.
    fileprivate func copyTables(to target: Transaction, layout: Transaction)
        throws -> [(table: String, rows: Int64)]
    {
        let tables = try layout.layouts()
        for table in tables.reversed() {
            try target.driver.execute("DELETE FROM \(table.name)", [])
        }
        var counts: [(String, Int64)] = []
        for table in tables {
            try copy(table, to: target)
            try target.continueNumbers(of: table, from: self)
            let (read, written) = (try rows(of: table.name), try target.rows(of: table.name))
            guard read == written else {
                throw StoreError(
                    .copy,
                    reason: "\(table.name) has \(written) rows in the target, but \(read) before")
            }
            counts.append((table.name, read))
        }
        return counts
    }

    private func copy(_ table: Layout, to target: Transaction) throws {
        let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let places = table.columns.map { _ in "?" }.joined(separator: ", ")
        let insertion = "INSERT INTO \(table.name) (\(names)) VALUES (\(places))"
        try driver.stream("SELECT \(names) FROM \(table.name)") { row throws(StoreError) in
            var values: [SQLValue] = []
            for (column, type) in table.columns.map(\.type).enumerated() {
                values.append(try row.value(column, type))
            }
            try target.driver.execute(insertion, values)
        }
    }

    func rows(of table: String) throws(StoreError) -> Int64 {
        try one("SELECT COUNT(*) FROM \(table)") { try $0.integer(0) } ?? 0
    }

    /// All tables, those that others refer to before these.
    private func layouts() throws(StoreError) -> [Layout] {
        var left: [Layout] = []
        for name in StoredTable.all.map(\.name) { left.append(try layout(of: name)) }
        var ordered: [Layout] = []
        while !left.isEmpty {
            let known = Set(ordered.map(\.name))
            let next = left.filter { $0.parents.subtracting([$0.name]).isSubset(of: known) }
            guard !next.isEmpty else {
                throw StoreError(.copy, reason: "the tables refer to each other in a circle")
            }
            ordered += next
            left.removeAll { table in next.contains { $0.name == table.name } }
        }
        return ordered
    }

    private func layout(of table: String) throws(StoreError) -> Layout {
        let columns = try all("PRAGMA table_info(\(table))") { row in
            (name: try row.text(1), type: try row.text(2), key: try row.integer(5))
        }
        let keys = columns.filter { $0.key > 0 }
        let number = keys.count == 1 && keys[0].type == "INTEGER" ? keys[0].name : nil
        let isAutoincrement = try one(
            """
            SELECT 1 FROM sqlite_schema
            WHERE type = 'table' AND name = ? AND sql LIKE '%AUTOINCREMENT%'
            """, [.text(table)]
        ) { _ in true }
        return Layout(
            name: table, columns: columns.map { ($0.name, $0.type) },
            parents: Set(try all("PRAGMA foreign_key_list(\(table))") { try $0.text(2) }),
            number: number, isAutoincrement: isAutoincrement ?? false)
    }

    /// Lets the target assign numbers from where the source would.
    private func continueNumbers(of table: Layout, from source: Transaction) throws(StoreError) {
        guard let number = table.number else { return }
        let last = try source.lastNumber(of: table.name, number)
        if driver is PostgreSQLDriver {
            try each(
                "SELECT setval(CAST(pg_get_serial_sequence(?, ?) AS regclass), ?, ? = 1)",
                [
                    .text(table.name), .text(number), .integer(max(last, 1)),
                    .integer(last > 0 ? 1 : 0),
                ]
            ) { _ in }
        } else if table.isAutoincrement {
            try driver.execute("DELETE FROM sqlite_sequence WHERE name = ?", [.text(table.name)])
            try driver.execute(
                "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)",
                [.text(table.name), .integer(last)])
        }
    }

    private func lastNumber(of table: String, _ number: String) throws(StoreError) -> Int64 {
        let greatest = try one("SELECT COALESCE(MAX(\"\(number)\"), 0) FROM \(table)") {
            try $0.integer(0)
        }
        var assigned: Int64?
        if driver is PostgreSQLDriver {
            assigned = try one(
                """
                SELECT COALESCE(last_value, 0) FROM pg_sequences
                WHERE schemaname = current_schema()
                    AND sequencename = split_part(pg_get_serial_sequence(?, ?), '.', 2)
                """, [.text(table), .text(number)]
            ) { try $0.integer(0) }
        } else if try hasTable("sqlite_sequence") {
            assigned = try one("SELECT seq FROM sqlite_sequence WHERE name = ?", [.text(table)]) {
                try $0.integer(0)
            }
        }
        return max(greatest ?? 0, assigned ?? 0)
    }
}

extension SQLRow {
    /// - Parameter type: as SQLite names it.
    fileprivate func value(_ column: Int, _ type: String) throws(StoreError) -> SQLValue {
        if isNull(column) { return .null }
        return switch type {
        case "INTEGER": .integer(try integer(column))
        case "REAL": .real(try real(column))
        case "TEXT": .text(try text(column))
        default: .blob(try blob(column))
        }
    }
}

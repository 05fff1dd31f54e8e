import Store

/// Files to be restored: the checks before one takes the database's place.
enum Backups {
    static func check(_ bytes: [UInt8]) throws {
        let path = try Scratch.write(bytes, as: "backup.db")
        defer { Scratch.removeDatabase(path) }
        let verdict: Store.Verdict
        do throws(StoreError) {
            verdict = try Store.verdict(on: path)
        } catch {
            return try expect(!error.description.isEmpty, "a failure has a reason")
        }
        // To SQLite a file of one byte is an empty database, as is one without any.
        if !bytes.starts(with: "SQLite format 3\0".utf8), bytes.count > 1 {
            try expect(verdict == .notADatabase, "what is no database is called that")
        }
        guard verdict == .sound || verdict == .tooNew else { return }
        guard let schema = try Store.schema(of: DatabaseAddress(path)) else {
            throw Finding("what is sound has a schema")
        }
        try expect(
            (schema <= Store.newestSchema) == (verdict == .sound), "a newer schema is too new")
        do {
            let figures = try Store.figures(of: path, isInUse: false)
            try expect(figures?.schema == schema, "its schema is one number")
        } catch is StoreError {
            // Another table than that of the schema may be anything.
        }
    }
}

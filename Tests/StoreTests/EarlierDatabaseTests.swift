import Foundation
import TestSupport
import Testing
import Tracking

@testable import Store

/// Databases made by earlier versions of Kith.
@Suite(.onSQLite)
struct EarlierDatabaseTests {
    /// The first version that has a database.
    private static let oldest: Int64 = 5

    @Test func `Numbers continue after an earlier version's, including erased devices'`() throws {
        let new = try TemporaryStore()
        let path = new.path + ".earlier"
        try FileManager.default.copyItem(atPath: Stored.database(schema: 28), toPath: path)
        let driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5))
        let reader = Transaction(driver: driver)
        func numbers(_ sql: String) throws -> [Int64] {
            try driver.transaction { () throws(StoreError) in
                try reader.all(sql) { try $0.integer(0) }
            }
        }
        let used = try ["users", "groups", "devices"].map {
            try numbers("SELECT id FROM \($0)").max() ?? 0
        }
        let erased = try #require(try numbers("SELECT device_id FROM erasures").max())
        #expect(erased > used[2], "the newest device is an erased one")
        _ = try Store.open(path, at: .noon)
        #expect(
            try numbers(
                """
                SELECT number FROM last_numbers
                ORDER BY CASE kind WHEN 'users' THEN 1 WHEN 'groups' THEN 2 ELSE 3 END
                """) == [used[0], used[1], erased])
    }

    @Test func `Every version before the newest has a stored database`() {
        for schema in EarlierDatabaseTests.oldest..<max(Migration.newest, 6) {
            #expect(
                Stored.schemas.contains(schema),
                """
                There is no Tests/Stored/schema-\(schema).sqlite. Make it by the version before \
                migration \(schema + 1), as Tests/Stored/README.md says.
                """)
        }
    }

    @Test(arguments: Stored.schemas)
    func `An earlier database is migrated and loses nothing`(_ schema: Int64) throws {
        let new = try TemporaryStore()
        let path = new.path + ".earlier"
        try FileManager.default.copyItem(atPath: Stored.database(schema: schema), toPath: path)
        let before = try Content(of: path)
        #expect(before.tables["migrations"]?.rows.count == Int(schema))
        for (name, table) in before.tables where !["outbox", "operator_requests"].contains(name) {
            #expect(!table.rows.isEmpty, "\(name) says nothing")
        }

        let store = try Store.open(path, at: .noon)
        let after = try Content(of: path, columns: before)
        for (name, table) in before.tables where name != "migrations" {
            #expect(after.tables[name]?.rows == table.rows, "\(name)")
        }
        #expect(after.tables["migrations"]?.rows.count == Int(Migration.newest))
        let schemaOfNew = try new.column(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1")
        try store.transaction { transaction in
            let schema = try transaction.all(
                "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1"
            ) { try $0.text(0) }
            #expect(schema == schemaOfNew)
        }
    }

    @Test(arguments: Stored.schemas)
    func `A reader of an earlier database learns that the bridge migrates it`(_ schema: Int64)
        throws
    {
        let new = try TemporaryStore()
        let path = new.path + ".earlier"
        try FileManager.default.copyItem(atPath: Stored.database(schema: schema), toPath: path)
        let error = try #require(throws: StoreError.self) {
            try Store.openReadOnly(path).checkVersion()
        }
        #expect(error.description.contains("schema \(schema)"))
        #expect(error.description.contains("the bridge brings it up to date"))
        _ = try Store.open(path, at: .noon)
        try Store.openReadOnly(path).checkVersion()
    }

    @Test(arguments: Stored.schemas)
    func `All content of an earlier database is read, and is unchanged if rewritten`(
        _ schema: Int64
    ) throws {
        let new = try TemporaryStore()
        let path = new.path + ".earlier"
        try FileManager.default.copyItem(atPath: Stored.database(schema: schema), toPath: path)
        let store = try Store.open(path, at: .noon)
        try store.transaction { transaction in
            var saved: [(SavedTracker, FixID)] = []
            try transaction.trackers { tracker, fix in saved.append((tracker, fix)) }
            #expect(saved.contains { $0.0.tracker.emergency != nil })
            #expect(saved.contains { $0.0.tracker.journey != nil })
            for (tracker, fix) in saved { try transaction.save(tracker, through: fix) }
            var again: [(SavedTracker, FixID)] = []
            try transaction.trackers { tracker, fix in again.append((tracker, fix)) }
            #expect(again.map(\.0.tracker) == saved.map(\.0.tracker))
            #expect(again.map(\.0.logs) == saved.map(\.0.logs))
            #expect(again.map(\.0.usage) == saved.map(\.0.usage))
            #expect(again.map(\.1) == saved.map(\.1))
            var alerts: [AlertRow] = []
            for group in try transaction.groups() {
                alerts += try transaction.alerts(of: group.id, before: nil, limit: 100)
            }
            let count = try transaction.one("SELECT COUNT(*) FROM alerts") { try $0.integer(0) }
            #expect(Int64(alerts.count) == count)
            #expect(alerts.contains { !$0.acknowledgedBy.isEmpty })
        }
    }
}

/// All rows of a database as SQL returns them, without Kith's decoding.
private struct Content {
    struct Table {
        var columns: [String]
        var rows: [String]
    }

    private(set) var tables: [String: Table] = [:]

    /// - Parameter earlier: whose tables and columns are read; nil for all.
    init(of path: String, columns earlier: Content? = nil) throws {
        let driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5))
        let transaction = Transaction(driver: driver)
        func texts(_ sql: String) throws(StoreError) -> [String] {
            try transaction.all(sql) { try $0.text(0) }
        }
        try driver.transaction { () throws(StoreError) in
            let names = try texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
            for name in names where earlier == nil || earlier?.tables[name] != nil {
                var columns = earlier?.tables[name]?.columns ?? []
                if earlier == nil {
                    columns = try texts(
                        "SELECT name FROM pragma_table_info('\(name)') ORDER BY cid")
                }
                let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
                tables[name] = Table(
                    columns: columns, rows: try texts("SELECT \(row) FROM \(name) ORDER BY 1"))
            }
        }
    }
}

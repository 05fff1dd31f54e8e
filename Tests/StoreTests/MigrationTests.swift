import TestSupport
import Testing
import Tracking

@testable import Store

@Suite(.onSQLite)
struct MigrationTests {
    @Test func `An empty file gets the schema, and only once`() throws {
        let file = try TemporaryStore()
        let schema = try file.column(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1")
        #expect(schema.count > Migration.first.statements.count)
        let again = try Store.open(file.path, at: .noon + .seconds(60))
        let rows = try again.transaction { transaction in
            try transaction.all("SELECT number, applied_at_ms FROM migrations ORDER BY number") {
                row in [try row.integer(0), try row.integer(1)]
            }
        }
        #expect(rows == Migration.all.map { [$0.number, Timestamp.noon.milliseconds] })
        #expect(
            try file.column("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1")
                == schema)
    }

    @Test func `Migrating the first version counts the points of ended paths`() throws {
        let file = try TemporaryStore()
        let path = file.path + ".old"
        let driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(1))
        try Store(driver: driver).transaction { transaction in
            let rows = [
                "CREATE TABLE migrations (number INTEGER PRIMARY KEY, applied_at_ms INTEGER)",
                "INSERT INTO migrations VALUES (1, 0)",
                "INSERT INTO users VALUES (1, 'ann', 'Ann', NULL, NULL, NULL, NULL, 'fix', 0)",
                "INSERT INTO paths VALUES (1, 1, 'sos', 0, 5), (1, 2, 'sos', 6, NULL)",
                """
                INSERT INTO path_points VALUES (1, 1, 1, 1, 0, 0), (1, 1, 2, 2, 0, 0),
                    (1, 2, 7, 3, 0, 0)
                """,
            ]
            for sql in Migration.first.statements + rows { _ = try driver.execute(sql, []) }
        }
        let counts = try Store.open(path, at: .noon).transaction { transaction in
            try transaction.all("SELECT point_count FROM paths ORDER BY number") { row in
                try row.optionalInteger(0)
            }
        }
        #expect(counts == [2, nil])
    }

    @Test func `Migrating hides SOS paths succeeded by a newer one`() throws {
        let file = try TemporaryStore()
        let path = file.path + ".old"
        let driver = try SQLiteDriver(path: path, readOnly: false, patience: .seconds(1))
        try Store(driver: driver).transaction { transaction in
            try transaction.migrate(at: 0, by: Array(Migration.all.prefix(5)))
            for sql in [
                """
                INSERT INTO users (id, name, display_name, owntracks_publish_is, created_at_ms)
                VALUES (1, 'ann', 'Ann', 'fix', 0)
                """,
                "INSERT INTO groups VALUES (1, 'a', 'A', 0), (2, 'b', 'B', 0)",
                """
                INSERT INTO paths (user_id, number, mode, started_at_ms, ended_at_ms)
                VALUES (1, 1, 'sos', 0, 5), (1, 2, 'sos', 6, 7), (1, 3, 'journey', 8, NULL)
                """,
                "INSERT INTO path_groups VALUES (1, 1, 1), (1, 1, 2), (1, 1, 3), (2, 1, 1), (2, 1, 3)",
            ] { _ = try driver.execute(sql, []) }
        }
        let shown = try Store.open(path, at: .noon).transaction { transaction in
            try transaction.all("SELECT group_id, number FROM path_groups ORDER BY 1, 2") { row in
                [try row.integer(0), try row.integer(1)]
            }
        }
        #expect(shown == [[1, 2], [1, 3], [2, 1], [2, 3]])
    }

    @Test func `Migrations have unique ascending numbers`() {
        let numbers = Migration.all.map(\.number)
        #expect(numbers == Set(numbers).sorted())
        #expect(numbers.first == 1)
    }

    /// FNV-1a of each migration's statements, joined with a line between.
    private static let digests: [Int64: UInt64] = [
        1: 0x6644_0125_acc5_6872, 2: 0xc257_a9f1_ee1d_6bd2, 3: 0x187d_58ca_3722_f55b,
        4: 0xeec4_1d47_9e7e_36d9, 5: 0xec5c_b44b_5807_e67c, 6: 0xa267_a57e_6bd4_9685,
        7: 0x0d6a_ac8b_27d3_81e5, 8: 0x9aa7_8c9f_8404_f6b0, 9: 0xcf20_d7a6_3e92_eeb6,
        10: 0x4db5_cc80_c958_402a, 11: 0x7ddf_7f2e_6b72_e186, 12: 0x0f44_0388_895d_13cb,
        13: 0x1c72_4df8_d01e_f5fa, 14: 0x1c69_f1f5_a243_ee5b, 15: 0x3d78_1d42_504c_cb1d,
        16: 0x370e_3051_ecc0_b2d5,
        17: 0xff87_5914_243c_5fd0,
        18: 0x3cc9_4435_4af0_9d7c,
        19: 0xeaf5_ef94_719f_892e, 20: 0x9cf5_4f4b_64aa_f00b,
        21: 0xb079_c93a_6ad3_865d, 22: 0x0403_1239_9357_e900,
        23: 0x4bea_89c8_2cce_7035, 24: 0x35bb_8812_62f4_13bd,
        25: 0x8725_8869_2493_19d2, 26: 0x6470_3c38_74cf_1a9b,
        27: 0x8df9_275d_ab56_255a, 28: 0xbe95_9484_f445_6aa8, 29: 0x1597_2801_78d3_6735,
    ]

    @Test(arguments: Migration.all.map(\.number))
    func `A migration is never changed, since databases already have it`(_ number: Int64) throws {
        let migration = try #require(Migration.all.first { $0.number == number })
        let digest = migration.statements.joined(separator: "\n;\n").utf8
            .reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let known = try #require(
            MigrationTests.digests[number],
            "Migration \(number) is new: write its digest, 0x\(String(digest, radix: 16)), down here."
        )
        #expect(
            known == digest,
            """
            Migration \(number) is not what it was: its digest is \(String(digest, radix: 16)). \
            Leave it as it was and add another one, which changes what it has made. (As long as no \
            version has had it, write down its digest again.)
            """)
    }

    @Test func `A database of a newer version is refused in one sentence`() throws {
        let file = try TemporaryStore()
        try file.execute("INSERT INTO migrations (number, applied_at_ms) VALUES (99, 0)")
        let tables = try file.count("sqlite_schema")
        do {
            _ = try Store.open(file.path, at: .noon)
            Issue.record("it was opened")
        } catch {
            #expect(error.operation == .migrate)
            #expect(
                error.description
                    == "The database refused to migrate: it was made by a newer version of Kith "
                    + "(schema 99, this one reads up to \(Migration.newest)) (0).")
        }
        #expect(try file.count("sqlite_schema") == tables)
    }

    @Test(arguments: 1..<Migration.all.count)
    func `A database of an older version is migrated with its content`(_ version: Int) throws {
        let new = try TemporaryStore()
        let path = new.path + ".old"
        let old = Store(
            driver: try SQLiteDriver(path: path, readOnly: false, patience: .seconds(5)))
        try old.transaction { transaction in
            try transaction.migrate(at: 0, by: Array(Migration.all.prefix(version)))
            try transaction.driver.execute(
                "INSERT INTO outbox (topic, payload) VALUES ('t', x'01')", [])
        }
        let store = try Store.open(path, at: .noon)
        let (rows, schema) = try store.transaction { transaction in
            (
                try transaction.outgoing().map(\.topic),
                try transaction.all(
                    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1"
                ) { try $0.text(0) }
            )
        }
        #expect(rows == ["t"])
        #expect(
            try schema
                == new.column("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY 1"))
    }

    @Test func `A failed migration leaves no trace`() throws {
        let file = try TemporaryStore()
        let broken = Migration(number: 99, statements: ["CREATE TABLE x (y) ", "NONSENSE"])
        #expect(throws: StoreError.self) {
            try file.run { transaction in
                for statement in broken.statements {
                    try transaction.driver.execute(statement, [])
                }
            }
        }
        #expect(try file.column("SELECT name FROM sqlite_schema WHERE name = 'x'").isEmpty)
    }

    @Test func `Every table is strict`() throws {
        let file = try TemporaryStore()
        #expect(
            try file.column(
                "SELECT name FROM pragma_table_list WHERE strict = 0 AND type = 'table'"
            )
            .filter { !$0.hasPrefix("sqlite_") } == [])
        for sql in [
            "INSERT INTO operator_requests (request, at_ms) VALUES ('x', 'soon')",
            "INSERT INTO outbox (topic, payload) VALUES ('t', 'text')",
            "INSERT INTO users (name, display_name, owntracks_publish_is, created_at_ms) "
                + "VALUES ('a', 'A', 'maybe', 0)",
            "INSERT INTO devices (user_id, name, speaks, created_at_ms) VALUES (7, 'd', 'kith', 0)",
            "INSERT INTO paths (user_id, number, mode, started_at_ms) VALUES (1, 1, 'walk', 0)",
        ] {
            #expect(throws: StoreError.self, "\(sql)") { try file.execute(sql) }
        }
    }

    @Test func `The file uses a write-ahead log, and every commit is on disk`() throws {
        let file = try TemporaryStore()
        #expect(try file.column("PRAGMA journal_mode") == ["wal"])
        let numbers = try file.run { transaction in
            try ["synchronous", "foreign_keys"].map { name in
                try transaction.one("PRAGMA \(name)") { try $0.integer(0) }
            }
        }
        #expect(numbers == [2, 1])
    }

    @Test func `A missing or unopenable file is an error`() throws {
        let file = try TemporaryStore()
        #expect(throws: StoreError.self) { try Store.open("/nonexistent/kith.sqlite", at: .noon) }
        #expect(throws: StoreError.self) { try Store.openReadOnly(file.path + ".missing") }
        #expect(throws: StoreError.self) { try Store.open("/dev/null/x", at: .noon) }
    }
}

import Glibc
import TestSupport
import Testing
import Tracking

@testable import Store

struct DriverTests {
    struct Failure: Error {}

    @Test func `A throwing transaction is rolled back and keeps its error`() throws {
        let file = try TemporaryStore()
        let refusal = StoreError(.execute, reason: "because")
        #expect(throws: refusal) {
            try file.run { transaction in
                _ = try transaction.insertOutgoing(topic: "t", payload: [1], correlationData: nil)
                throw refusal
            }
        }
        #expect(try file.count("outbox") == 0)
        #expect(try file.addUser("alice").user.rawValue == 1)
    }

    @Test func `Any other error rolls a transaction back, like a row that cannot be read`() throws {
        let file = try TemporaryStore()
        #expect(throws: StoreError(.decode, reason: "unexpected Failure")) {
            try file.run { transaction in
                _ = try transaction.insertOutgoing(topic: "t", payload: [1], correlationData: nil)
                throw Failure()
            }
        }
        #expect(throws: StoreError(.decode, reason: "unexpected Failure")) {
            try file.run { transaction in try transaction.all("SELECT 1") { _ in throw Failure() } }
        }
        #expect(try file.count("outbox") == 0)
    }

    @Test(.onSQLite) func `An error names the operation and SQLite's code, never a value`() throws {
        let file = try TemporaryStore()
        _ = try file.addUser("alice")
        do {
            _ = try file.addUser("alice")
            Issue.record("there are two now")
        } catch let error as StoreError {
            #expect(error.operation == .query || error.operation == .execute)
            #expect(error.code == 2067)
            #expect(!error.description.contains("alice"))
        }
        #expect(throws: StoreError.self) { try file.execute("SELECT nonsense") }
    }

    @Test(arguments: [
        (Int32(778), EDQUOT, Int32(13)), (778, ENOSPC, 13), (778, EFBIG, 778), (778, EIO, 778),
        (778, EROFS, 8), (19, EDQUOT, 19), (5, ENOSPC, 5),
    ])
    func `A disk error due to a quota or a read-only disk is reported as such`(
        _ code: Int32, _ system: Int32, _ counted: Int32
    ) {
        let error = StoreError(.commit, code: code, reason: "disk I/O error")
        #expect(error.caused(by: system).code == counted)
    }

    @Test(.onSQLite) func `Work counts rows examined, not returned, and is reproducible`() throws {
        let file = try TemporaryStore()
        func work(_ sql: String) throws -> Int64 {
            try file.run { transaction in
                let before = transaction.work
                _ = try transaction.all(sql) { _ in }
                return transaction.work - before
            }
        }
        try file.run { transaction in
            for _ in 0..<1000 {
                _ = try transaction.insertOutgoing(topic: "t", payload: [1], correlationData: nil)
            }
        }
        let near = try work("SELECT id FROM outbox WHERE id = 900")
        let far = try work("SELECT id FROM outbox ORDER BY id LIMIT 1 OFFSET 900")
        #expect(near < 2 * WorkSteps.statement)
        #expect(far > near + 900)
        #expect(try work("SELECT id FROM outbox ORDER BY id LIMIT 1 OFFSET 900") == far)
    }

    @Test func `A column is read by its type`() throws {
        let file = try TemporaryStore()
        try file.run { transaction in
            let sql = "SELECT ?, ?, ?, ?, NULL, ?"
            let values: [SQLValue] = [
                .integer(7), .real(1.5), .text("text"), .blob([0, 255]), .integer(.min),
            ]
            let numbers = try transaction.all(sql, values) { row in
                [try row.integer(0), try row.integer(5), try row.optionalInteger(4)]
            }
            #expect(numbers == [[7, Int64.min, nil]])
            #expect(
                try transaction.all(sql, values) { row in
                    [try row.real(1), try row.optionalReal(4)]
                }
                    == [[1.5, nil]])
            #expect(
                try transaction.all(sql, values) { row in
                    [try row.text(2), try row.optionalText(4)]
                }
                    == [["text", nil]])
            #expect(try transaction.all(sql, values) { row in try row.blob(3) } == [[0, 255]])
            #expect(
                try transaction.all(sql, values) { row in [row.isNull(0), row.isNull(4)] }
                    == [[false, true]])
        }
        // Other mistakes are ruled out by strict tables.
        #expect(throws: StoreError(.decode, reason: "column 0 is not what it should be")) {
            try file.run { transaction in
                try transaction.one("SELECT NULL") { try $0.integer(0) }
            }
        }
    }

    @Test func `Values are read back unchanged`() throws {
        let file = try TemporaryStore()
        let values: [SQLValue] = [
            .null, .integer(.max), .integer(.min), .real(-1.25e300), .text(""), .text("ünï 👩‍👩‍👧"),
            .text("'; DROP TABLE users; --"), .blob([]), .blob([0, 1, 255]),
        ]
        for value in values {
            let back = try file.run { transaction in
                try transaction.one("SELECT ?", [value]) { row -> SQLValue in
                    switch value {
                    case .null: row.isNull(0) ? .null : .text("not null")
                    case .integer: .integer(try row.integer(0))
                    case .real: .real(try row.real(0))
                    case .text: .text(try row.text(0))
                    case .blob: .blob(try row.blob(0))
                    }
                }
            }
            #expect(back == value)
        }
        #expect(try file.count("users") == 0)
    }

    @Test func `Only writes by others count as foreign changes`() throws {
        let file = try TemporaryStore()
        let other = try Store.open(file.address, at: .noon)
        var last = try file.store.foreignChanges()
        _ = try file.addUser("alice")
        #expect(try file.store.foreignChanges() == last)
        _ = try other.transaction { transaction in
            try transaction.insertOperatorRequest("{}", at: .noon)
        }
        // A server passes on the notification after the other has its answer.
        let deadline = ContinuousClock.now + .seconds(5)
        while try file.store.foreignChanges() == last, ContinuousClock.now < deadline {}
        #expect(try file.store.foreignChanges() != last)
        last = try file.store.foreignChanges()
        _ = try other.transaction { try $0.users() }
        #expect(try file.store.foreignChanges() == last)
    }

    @Test func `A read-only store cannot write`() throws {
        let file = try TemporaryStore()
        _ = try file.addUser("alice")
        let reader = try Store.openReadOnly(file.address)
        let users = try reader.transaction { try $0.users().map(\.name) }
        #expect(users == ["alice"])
        #expect(throws: StoreError.self) {
            try reader.transaction { try $0.deleteOutgoing(1) }
        }
    }
}

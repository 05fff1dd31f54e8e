import Foundation
import TestSupport
import Testing

@testable import Store

/// Copies of a database, and the verdict on a file.
@Suite(.onSQLite)
struct CopyTests {
    @Test func `A copy has all committed data and nothing uncommitted`() throws {
        let temporary = try TemporaryStore()
        try temporary.execute("INSERT INTO migrations VALUES (-1, 5)")
        let copy = temporary.path + ".copy"
        try temporary.store.transaction { transaction in
            try transaction.driver.execute("INSERT INTO migrations VALUES (-2, 5)", [])
            try Store.copy(temporary.path, into: copy)
        }
        #expect(try Store.verdict(on: copy) == .sound)
        let numbers = try Store.openReadOnly(copy).transaction { transaction in
            try transaction.all("SELECT number FROM migrations ORDER BY number") { row in
                try row.integer(0)
            }
        }
        #expect(numbers == [-1] + Migration.all.map(\.number))
        #expect(!FileManager.default.fileExists(atPath: copy + "-wal"))
    }

    @Test func `A sound database is distinguished from a damaged or foreign file`() throws {
        let temporary = try TemporaryStore()
        #expect(try Store.verdict(on: temporary.path) == .sound)
        let file = temporary.path + ".other"
        func verdict(_ bytes: Data) throws -> Store.Verdict {
            try bytes.write(to: URL(fileURLWithPath: file))
            return try Store.verdict(on: file)
        }
        try Store.copy(temporary.path, into: temporary.path + ".copy")
        let sound = try Data(contentsOf: URL(fileURLWithPath: temporary.path + ".copy"))
        var holed = sound
        for index in 8192..<12_288 { holed[index] = 0 }
        #expect(try verdict(sound) == .sound)
        #expect(try verdict(holed) == .damaged)
        #expect(try verdict(sound.prefix(9000)) == .damaged)
        #expect(try verdict(Data("a letter".utf8)) == .notADatabase)
        #expect(try verdict(Data()) == .notOurs)
        #expect(throws: StoreError.self) { try Store.verdict(on: file + ".none") }
        try temporary.execute("INSERT INTO migrations VALUES (99, 0)")
        #expect(try Store.verdict(on: temporary.path) == .tooNew)
        try temporary.execute("DELETE FROM migrations")
        #expect(try Store.verdict(on: temporary.path) == .notOurs)
    }
}

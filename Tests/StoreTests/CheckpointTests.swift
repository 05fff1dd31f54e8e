import Foundation
import TestSupport
import Testing
import Tracking

@testable import Store

@Suite(.onSQLite)
struct CheckpointTests {
    /// In pages of the database.
    private static let page = 4096

    /// Commits as often as many fixes do, a few pages each time.
    private func write(_ count: Int, in file: TemporaryStore) throws {
        for number in 0..<count {
            try file.run { transaction in
                let payload = [UInt8](
                    repeating: UInt8(number % 256), count: 20 * CheckpointTests.page)
                let row = try transaction.insertOutgoing(
                    topic: "\(number)", payload: payload, correlationData: nil)
                if number % 10 > 0 { try transaction.deleteOutgoing(row) }
            }
        }
    }

    @Test func `The log stays short however much is written`() throws {
        let file = try TemporaryStore()
        try write(3000, in: file)
        #expect(file.store.logBytes < 10_000 * CheckpointTests.page)
        #expect(try file.count("outbox") == 300)
    }

    @Test func `The log is shorter on a full disk`() throws {
        let file = try TemporaryStore()
        file.store.keepLogSmall(true)
        try write(500, in: file)
        #expect(file.store.logBytes < 500 * CheckpointTests.page)
    }

    @Test
    func `An emptied log is in the file itself, and closing leaves no other file`() throws {
        let file = try TemporaryStore()
        try write(1000, in: file)
        let driver = try #require(file.store.driver as? SQLiteDriver)
        #expect(try driver.emptyLog())
        try driver.close()
        let names = try FileManager.default.contentsOfDirectory(
            atPath: (file.path as NSString).deletingLastPathComponent)
        #expect(names == ["kith.sqlite"])
        let again = try Store.openReadOnly(file.path)
        let count = try again.transaction { transaction in
            try transaction.one("SELECT COUNT(*) FROM outbox") { try $0.integer(0) }
        }
        #expect(count == 100)
    }

    @Test func `A reader does not block transactions`() throws {
        let file = try TemporaryStore()
        let reader = try Store.openReadOnly(file.path)
        try reader.transaction { transaction in
            _ = try transaction.users()
            do { try write(1000, in: file) } catch { Issue.record("\(error)") }
        }
        let grown = file.store.logBytes
        try write(1000, in: file)
        #expect(file.store.logBytes <= max(grown, 10_000 * Int64(CheckpointTests.page)))
        #expect(try file.count("outbox") == 200)
    }

    /// Steps until the log is empty.
    ///
    /// - Returns: false if it does not become empty.
    private func empty(_ file: TemporaryStore) -> Bool {
        for _ in 0..<5_000 {
            if file.store.emptyLogInSteps() { return true }
            Thread.sleep(forTimeInterval: 0.002)
        }
        return false
    }

    @Test func `The log is emptied in steps without loss`() throws {
        let file = try TemporaryStore()
        try write(30, in: file)
        #expect(file.store.logBytes > 0)
        #expect(empty(file))
        #expect(file.store.logBytes == 0)
        #expect(file.store.emptyLogInSteps())
        #expect(try file.count("outbox") == 3)
        // Repeated: earlier moves of the log do not count.
        try write(30, in: file)
        #expect(!file.store.emptyLogInSteps())
        #expect(empty(file))
    }

    @Test func `Emptying the log waits for no reader and is done after it has ended`() throws {
        let file = try TemporaryStore()
        let reader = try Store.openReadOnly(file.path)
        try reader.transaction { transaction in
            _ = try transaction.users()
            do {
                try write(30, in: file)
            } catch {
                Issue.record("\(error)")
            }
            let start = ContinuousClock.now
            for _ in 0..<20 {
                #expect(!file.store.emptyLogInSteps())
                Thread.sleep(forTimeInterval: 0.002)
            }
            // Twenty times the usual timeout would be 100 s.
            #expect(ContinuousClock.now - start < .seconds(20))
        }
        #expect(empty(file))
        #expect(file.store.logBytes == 0)
        #expect(try file.count("outbox") == 3)
    }
}

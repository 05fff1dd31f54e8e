import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

/// Bridges that take over from each other.
@Suite(.onPostgreSQL, .serialized, .timeLimit(.minutes(1)))
final class SuccessionTests {
    private let database: TestDatabase
    private let other: TemporaryDirectory
    private var first: Store?

    init() throws {
        (database, other) = (try TestDatabase(), try TemporaryDirectory())
        first = try Store.open(database.address, at: .noon, decides: true)
    }

    private var otherAddress: DatabaseAddress {
        DatabaseAddress(other.path + "/kith.db", server: database.uri)
    }

    private func decide() throws -> Store {
        let store = try #require(first)
        try store.beginDeciding(as: "a 1", "1.0", at: .noon)
        return store
    }

    /// Looks until the state is another one.
    private func state(
        of succession: Succession, until isMeant: (Succession.State) throws -> Bool
    ) throws -> Succession.State {
        var state = try succession.look(after: 50)
        while try !isMeant(state) { state = try succession.look(after: 50) }
        return state
    }

    @Test func `A bridge stands by while another decides, and is next when that ends`() throws {
        var store: Store? = try decide()
        let succession = try Succession(otherAddress)
        let decider = Decider(epoch: 1, name: "a 1", since: .noon, version: "1.0")
        for _ in 1...40 {
            #expect(try succession.look(after: 50) == .taken(by: decider))
        }
        try store?.transaction { _ in }
        (store, first) = (nil, nil)
        #expect(try state(of: succession) { $0 == .free } == .free)
        let next = try Store.open(otherAddress, at: .noon, decides: true)
        try next.beginDeciding(as: "b 2", "1.0", at: .noon)
        #expect(try next.transaction { try $0.decider() }?.epoch == 2)
    }

    @Test func `A command that holds the database is not ended, however long it takes`() throws {
        let succession = try Succession(otherAddress)
        for _ in 1...40 { #expect(try succession.look(after: 50) == .taken(by: nil)) }
        try first?.transaction { _ in }
    }

    @Test func `A bridge that gives no sign of life loses the database`() throws {
        let store = try decide()
        let succession = try Succession(otherAddress)
        _ = try succession.look(after: 50)
        #expect(!store.mayHaveLost)
        (store.driver as? PostgreSQLDriver)?.lease?.end()
        #expect(try state(of: succession) { $0 == .free } == .free)
        #expect(store.mayHaveLost)
        let next = try Store.open(otherAddress, at: .noon, decides: true)
        try next.beginDeciding(as: "b 2", "1.0", at: .noon)
        var causes: [StoreError.Cause] = []
        for _ in 1...2 {
            do throws(StoreError) {
                try store.transaction { try $0.setServiceKey("test", [1]) }
            } catch {
                causes.append(error.cause)
            }
        }
        #expect(causes == [.unreachable, .superseded])
        #expect(try next.transaction { try $0.serviceKey("test") } == nil)
    }

    @Test(arguments: [false, true])
    func `No commit succeeds under an old epoch`(_ isEmpty: Bool) throws {
        let store = try decide()
        let newer = Decider(epoch: 2, name: "b 2", since: .noon, version: "1.0")
        try Store.openUnchanged(otherAddress).transaction {
            try $0.setServiceKey(Decider.key, newer.bytes)
        }
        store.sendTogether(true)
        do throws(StoreError) {
            try store.transaction { transaction in
                if !isEmpty { try transaction.setServiceKey("test", [1]) }
            }
            Issue.record("it was committed")
        } catch {
            #expect(error.cause == .superseded)
        }
        let stored = try Store.openReadOnly(otherAddress).transaction { transaction in
            try transaction.serviceKey("test")
        }
        #expect(stored == nil)
    }

    @Test func `Rights that the bridge commits are soon in the files of the others`() throws {
        let store = try decide()
        let succession = try Succession(otherAddress)
        _ = try succession.look(after: 50)
        let access = try StoredAccess(path: otherAddress.path)
        for name in ["ann", "bob"] as [Name] {
            try store.transaction { transaction in
                let user = try transaction.insertUser(
                    name, displayName: "", email: nil, ownTracksPublishIsSOS: false, at: .noon)
                try transaction.noteAccessChange(of: user)
            }
            _ = try state(of: succession) { _ in try access.hasUser(name) }
        }
        let change = try store.transaction { try $0.lastAccessChange() }
        #expect(try access.newestChange() == change)
    }

    @Test func `A database of a newer version is not for this one`() throws {
        let store = try decide()
        try store.transaction { transaction in
            _ = try transaction.driver.executeCounted(
                "INSERT INTO migrations (number, applied_at_ms) VALUES (?, 0)", [.integer(999)])
        }
        let succession = try Succession(otherAddress)
        #expect(try succession.look(after: 0) == .ofAnotherVersion(schema: 999))
    }

    @Test func `A command that makes the tables leaves the database to whatever decides`() throws {
        first = nil
        let schema = try #require(database.uri?.split(separator: "%3D").last)
        for statement in ["DROP SCHEMA \(schema) CASCADE", "CREATE SCHEMA \(schema)"] {
            let store = try Store.openUnchanged(
                DatabaseAddress("", server: TestDatabase.server))
            try store.transaction { _ in try store.driver.execute(statement, []) }
        }
        let command = try Store.open(database.address, at: .noon)
        let bridge = try Store.open(otherAddress, at: .noon, decides: true)
        try bridge.transaction { _ in }
        try command.transaction { _ in }
    }

    @Test(arguments: ["", "1 2 3", "x 0 1.0 a", "1 x 1.0 a"])
    func `A row that cannot be read names nobody`(_ text: String) {
        #expect(Decider(Array(text.utf8)) == nil)
    }

    @Test func `The bridge that decides is stored as it is read`() {
        let decider = Decider(
            epoch: 7, name: "host with spaces 12", since: .noon, version: "1.0")
        #expect(Decider(decider.bytes) == decider)
    }
}

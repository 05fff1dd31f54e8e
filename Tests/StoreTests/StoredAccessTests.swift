import Contract
import Foundation
import TestSupport
import Testing

@testable import Store

/// The database as the gate reads it: what docs/decisions/0035 requires of any store.
struct StoredAccessTests {
    @Test func `Another's commit is seen immediately, with the holders it affects`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        let access = try StoredAccess(path: file.path)
        let (version, change) = (try access.version(), try access.newestChange())
        #expect(try access.changes(after: change) == AccessChanges(last: change, holders: []))
        #expect(try access.version() == version)
        _ = try file.addGroup("a", users[0])
        #expect(try access.version() != version)
        let last = try access.newestChange()
        #expect(last > change)
        #expect(
            try access.changes(after: change) == AccessChanges(last: last, holders: [.user("ann")]))
        #expect(try access.changes(after: last) == AccessChanges(last: last, holders: []))
        let key = try #require(GroupKey(String(repeating: "a", count: 22)))
        #expect(try access.access(of: "ann")?.facts == AccessFacts(groups: [key]))
        #expect(try access.access(of: "bob")?.facts == AccessFacts())
        #expect(try access.hasUser("bob") && !access.hasUser("carol"))
        #expect(try access.access(of: "carol") == nil)
        #expect(try access.newestAccount() == .noon)
    }

    @Test func `System programs have tokens, and their changes affect no holder`() throws {
        let file = try TemporaryStore()
        let access = try StoredAccess(path: file.path)
        #expect(try access.tokenHash(of: .bridge) == nil)
        try file.run { try $0.setTokenHash([1, 2, 3], ofSystem: "kith:bridge") }
        #expect(try access.tokenHash(of: .bridge) == [1, 2, 3])
        #expect(try access.tokenHash(of: .operator) == nil)
        #expect(try access.changes(after: 0) == AccessChanges(last: 1, holders: []))
    }

    @Test func `Changes already pruned or not yet made are unknown`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        let access = try StoredAccess(path: file.path)
        _ = try file.addGroup("a", users[0], users[1])
        let last = try access.newestChange()
        #expect(last >= 2)
        #expect(try access.changes(after: last - 1) != nil)
        #expect(try access.changes(after: last + 1) == nil)
        try file.run { transaction in
            while try transaction.pruneAccessChanges(through: last, atMost: 1) > 0 {}
        }
        #expect(try access.changes(after: last - 1) == nil)
        #expect(try access.changes(after: last) == AccessChanges(last: last + 1, holders: []))
    }

    @Test(.onSQLite) func `A replaced or missing database file is detected`() throws {
        let (file, other) = (try TemporaryStore(), try TemporaryStore())
        let access = try StoredAccess(path: file.path)
        let (manager, away) = (FileManager.default, file.path + ".away")
        #expect(!access.isReplaced)
        try manager.moveItem(atPath: file.path, toPath: away)
        #expect(access.isReplaced)
        try manager.copyItem(atPath: other.path, toPath: file.path)
        #expect(access.isReplaced)
        try manager.removeItem(atPath: file.path)
        try manager.moveItem(atPath: away, toPath: file.path)
        #expect(!access.isReplaced)
    }

    @Test(.onSQLite) func `A read failure has the store's reason, without contents`() throws {
        let file = try TemporaryStore()
        _ = try file.addUser("ann")
        let nowhere = #expect(throws: AccessSourceError.self) {
            try StoredAccess(path: file.path + ".nowhere")
        }
        let reason = #expect(throws: StoreError.self) {
            try Store.openReadOnly(file.path + ".nowhere")
        }
        #expect(nowhere?.description == reason?.description)
        let access = try StoredAccess(path: file.path)
        try file.execute("UPDATE devices SET name = 'ann''s', token_hash = x'00'")
        let damage = #expect(throws: AccessSourceError.self) { try access.access(of: "ann") }
        #expect(damage.map { !$0.description.contains("ann") } == true)
    }
}

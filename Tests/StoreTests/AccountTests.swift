import Contract
import TestSupport
import Testing
import Tracking

@testable import Store

/// Stored accounts.
struct AccountTests {
    @Test func `A password applies to its user alone`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        try file.run { transaction in
            try transaction.setPasswordHash("$one", of: users[0])
            #expect(try transaction.passwordHash(of: users[0]) == "$one")
            #expect(try transaction.passwordHash(of: users[1]) == nil)
            #expect(try transaction.passwordHash(of: UserID(rawValue: 99)) == nil)
        }
    }

    @Test func `A profile applies to its user alone`() throws {
        let file = try TemporaryStore()
        let users = try file.addUsers("ann", "bob")
        try file.run { transaction in
            try transaction.updateUser(
                users[0], displayName: "Ann B", firstName: "Ann", lastName: "B", email: "a@b.c")
            let rows = try transaction.users()
            #expect(rows.map(\.displayName) == ["Ann B", "bob"])
            #expect(rows.map(\.firstName) == ["Ann", nil])
            #expect(rows.map(\.lastName) == ["B", nil])
            #expect(rows.map(\.email) == ["a@b.c", nil])
        }
    }

    @Test func `Every change of a device's token is recorded for the gate`() throws {
        let file = try TemporaryStore()
        let (_, device) = try file.addUser("ann")
        try file.run { transaction in
            let start = try transaction.lastAccessChange()
            try transaction.setTokenHash([1, 2], of: device)
            #expect(try transaction.devices().map(\.hasToken) == [true])
            #expect(try transaction.access(of: "ann")?.tokenHashes == ["phone": [1, 2]])
            try transaction.setTokenHash(nil, of: device)
            #expect(try transaction.devices().map(\.hasToken) == [false])
            #expect(try transaction.access(of: "ann")?.tokenHashes == [:])
            let changes = try transaction.accessChanges(after: start) ?? []
            #expect(changes.map(\.principal) == ["ann", "ann"])
        }
    }
}

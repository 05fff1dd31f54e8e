import Contract
import Foundation
import TestSupport
import Testing
import Tracking

@testable import Store

/// The file from which the gate reads rights, if the database is on a server.
@Suite(.onPostgreSQL)
struct RightsFileTests {
    private let file: TemporaryStore
    private let users: [UserID]

    init() throws {
        file = try TemporaryStore()
        let ann = try file.addUser("ann")
        users = [ann.user] + (try file.addUsers("bob", "cleo"))
        _ = try file.addGroup("a", users[0], users[1])
        try file.run { [users] transaction in
            try transaction.insertFriend(users[1], of: users[0], at: .noon)
            try transaction.share(users[0], with: [users[1]], since: .noon)
            try transaction.setTokenHash([1, 2], of: ann.device)
        }
    }

    private func observer(_ user: UserID) throws -> Grant {
        let id = UUIDv7(at: .noon, random: (1, UInt64(user.rawValue)))
        try file.run { transaction in
            let group = try #require(try transaction.groups().first?.id)
            try transaction.insert(
                ObserverRow(id: id, group: group, user: user, name: "TV", at: .noon),
                tokenHash: [3])
        }
        return Grant(.observer, id)
    }

    /// Expects the same of the file as of the database.
    private func expectSame(_ grants: [Grant] = []) throws {
        let access = try StoredAccess(path: file.path)
        for name in ["ann", "bob", "cleo", "dan"] as [Name] {
            let stored = try file.run { try $0.access(of: name) }
            #expect(try access.access(of: name) == stored)
            #expect(try access.hasUser(name) == (stored != nil))
        }
        for grant in grants {
            let stored = try file.run { try $0.access(of: grant) }
            #expect(try access.access(of: grant) == stored)
        }
        #expect(try access.newestAccount() == file.run { try $0.newestAccount() })
        #expect(try access.newestChange() == file.run { try $0.lastAccessChange() })
    }

    @Test func `Changes are in the file when the transaction is over`() throws {
        let grant = try observer(users[0])
        try expectSame([grant])
        let access = try StoredAccess(path: file.path)
        #expect(try access.access(of: "bob")?.facts.friendsInSight == ["ann"])
        try file.run { try $0.insertBlock(of: users[0], by: users[1], at: .noon) }
        #expect(try access.access(of: "bob")?.facts.friendsInSight == [])
        try expectSame([grant])
    }

    @Test func `An erased account takes with it what others had from it`() throws {
        let grant = try observer(users[0])
        let access = try StoredAccess(path: file.path)
        #expect(try access.access(of: grant) != nil)
        try file.run { transaction in
            _ = try transaction.eraseUser(users[0], devices: [])
        }
        #expect(try access.access(of: grant) == nil)
        #expect(try access.access(of: "ann") == nil)
        #expect(try access.access(of: "bob")?.facts.friendsInSight == [])
        try expectSame([grant])
    }

    @Test func `A file that lacks a commit catches up when it is opened`() throws {
        let other = try Store.open(file.address, at: .noon)
        try other.transaction { transaction in
            _ = try transaction.insertUser(
                "dan", displayName: "", email: nil, ownTracksPublishIsSOS: false, at: .noon)
            try transaction.share(users[0], with: [users[1]], since: nil)
            _ = try transaction.eraseUser(users[2], devices: [])
        }
        #expect(try StoredAccess(path: file.path).access(of: "dan") == nil)
        try file.store.claim()
        let again = try FiledRights(of: file.store.driver, besides: file.path)
        try expectSame()
        try again.transaction { try $0.noteAccessChange(of: users[0]) }
        try expectSame()
    }

    @Test func `A removed or foreign file is made again, and nothing else is read`() throws {
        // From before the move.
        let old = try Store.open(file.path, at: .noon)
        try old.transaction { transaction in
            _ = try transaction.insertUser(
                "eve", displayName: "", email: nil, ownTracksPublishIsSOS: false, at: .noon)
        }
        try FileManager.default.removeItem(atPath: file.address.rightsPath)
        #expect(throws: AccessSourceError.self) { try StoredAccess(path: file.path) }
        try file.run { try $0.noteAccessChange(of: users[0]) }
        try expectSame()
        #expect(try StoredAccess(path: file.path).hasUser("eve") == false)
        // A new mark of the database, as after a restore.
        try file.run { try $0.setServiceKey(FiledRights.key, [9]) }
        let before = FileIdentity(file.address.rightsPath)
        _ = try FiledRights(of: file.store.driver, besides: file.path)
        #expect(FileIdentity(file.address.rightsPath) != before)
        try expectSame()
    }

    @Test func `A database on this machine takes the file's place`() throws {
        #expect(FileManager.default.fileExists(atPath: file.address.rightsPath))
        _ = try Store.open(DatabaseAddress(file.path), at: .noon, decides: true)
        #expect(!FileManager.default.fileExists(atPath: file.address.rightsPath))
        #expect(try StoredAccess(path: file.path).hasUser("ann") == false)
    }
}

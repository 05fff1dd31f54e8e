import Contract
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The gate reads the same rights from its file as from the database, whatever happens to people.
@Suite(.onPostgreSQL)
struct FiledRightsTests {
    @Test func `The rights in the gate's file are those in the database`() throws {
        let world = try World.withEverything()
        try world.addUsers("dave")
        try world.blinkDeciding()
        let grants = try grants(world)
        #expect(grants.count == 2)
        try expectSame(world, grants, "at the start")
        #expect(try StoredAccess(path: world.database.path).access(of: grants[0]) != nil)
        for (sender, method, payload) in [
            ("alice", "friend.share", #"{"with":"all"}"#),
            ("bob", "friend.share", #"{"with":"all"}"#),
            ("bob", "friend.block", #"{"user":"alice"}"#),
            ("bob", "friend.unblock", #"{"user":"alice"}"#),
            ("alice", "friend.unshare", #"{"with":"all"}"#),
            (
                "alice", "share.create",
                #"{"what":"position","until":\#(world.now.milliseconds + 3_600_000)}"#
            ),
            ("alice", "observer.create", #"{"group":"$family","name":"Wall"}"#),
            ("dave", "friend.add", #"{"user":"bob"}"#),
            ("bob", "group.leave", #"{"group":"$family"}"#),
        ] {
            try world.ask(Sender(sender), method, payload)
            try expectSame(world, try self.grants(world), method)
        }
        try world.operate(.disableUser("dave"))
        try expectSame(world, grants, "disabled")
        try world.operate(.removeUser("alice"))
        try expectSame(world, grants, "erased")
        #expect(try StoredAccess(path: world.database.path).access(of: grants[0]) == nil)
    }

    /// While the connection was lost, another program may have decided.
    @Test func `Memory is read again on another connection`() throws {
        let world = try World.withFamily()
        let other = try Store.open(world.database.address, at: world.now)
        var process: Int64 = 0
        try world.store.transaction { _ in
            try world.store.driver.query("SELECT pg_backend_pid()", []) { row throws(StoreError) in
                process = try row.integer(0)
            }
        }
        try other.transaction { transaction in
            let bob = try #require(try transaction.user("bob")?.id)
            let group = try #require(try transaction.groups().first?.id)
            try transaction.deleteMembership(group, bob)
            try other.driver.query("SELECT pg_terminate_backend(\(process))", []) { _ in }
        }
        // The loss is noticed by something that reads no memory.
        #expect(throws: StoreError.self) { try world.store.transaction { try $0.users() } }
        _ = try world.store.transaction { try $0.users() }
        let outcome = try world.outcome("bob", "members.get", #"{"group":"$family"}"#)
        #expect(outcome != "ok")
    }

    private func grants(_ world: World) throws -> [Grant] {
        try world.store.transaction { transaction in
            let links = try transaction.openShareLinks().map { Grant(.share, $0.id) }
            return try links + transaction.observers().map { Grant(.observer, $0.id) }
        }
    }

    private func expectSame(_ world: World, _ grants: [Grant], _ moment: String) throws {
        let file = try StoredAccess(path: world.database.path)
        let names: [Name] = ["alice", "bob", "carol", "dave", "acme", "eve"]
        for name in names {
            let stored = try world.store.transaction { try $0.access(of: name) }
            let filed = try file.access(of: name)
            #expect(filed == stored, "\(moment)")
        }
        for grant in grants {
            let stored = try world.store.transaction { try $0.access(of: grant) }
            let filed = try file.access(of: grant)
            #expect(filed == stored, "\(moment)")
        }
        let (newest, last) = try world.store.transaction { transaction in
            (try transaction.newestAccount(), try transaction.lastAccessChange())
        }
        let (filedNewest, filedLast) = (try file.newestAccount(), try file.newestChange())
        #expect(filedNewest == newest && filedLast == last, "\(moment)")
    }
}

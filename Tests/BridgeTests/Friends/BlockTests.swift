import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing

@testable import Bridge

struct BlockTests {
    private func inSight(of user: Name, _ world: World) throws -> Set<Name> {
        try world.store.transaction { try $0.access(of: user)?.facts.friendsInSight ?? [] }
    }

    /// Both share with each other, then Alice blocks Bob.
    private func world() throws -> World {
        let world = try FriendListTests.world()
        for (user, other) in [("alice", "bob"), ("bob", "alice")] {
            try world.fix(Sender(user), TestFix(10))
            try world.ask(Sender(user), "friend.add", "{\"user\":\"\(other)\"}")
            try world.ask(Sender(user), "friend.share", #"{"with":"all"}"#)
        }
        #expect(try inSight(of: "alice", world) == ["bob"])
        _ = world.published()
        return world
    }

    @Test func `A block hides both from each other and notifies no one`() throws {
        let world = try world()
        try Script.check(
            in: world,
            """
            10:00:00 alice asks friend.block {"user":"bob"}
                alice/phone reply: ok
                alice's location: gone
            10:00:01 alice asks friend.block {"user":"bob"}
                alice/phone reply: ok
            """)
        #expect(try inSight(of: "alice", world) == [])
        #expect(try inSight(of: "bob", world) == [])
        let changed = try world.integers(
            "SELECT COUNT(DISTINCT principal) FROM access_changes WHERE number > 4")
        #expect(changed == [2])
    }

    @Test func `A block looks like a removal to the blocked user`() throws {
        let blocked = try world()
        try blocked.ask("alice", "friend.block", #"{"user":"bob"}"#)
        let free = try world()
        try free.ask("alice", "friend.remove", #"{"user":"bob"}"#)
        for (method, payload) in [
            ("friend.list", "{}"), ("friend.share", #"{"with":"all"}"#),
            ("friend.unshare", #"{"with":"all"}"#), ("friend.share", #"{"with":["alice"]}"#),
            ("sharing.list", "{}"), ("friend.list", #"{"of":"sharers"}"#),
            ("friend.nearby", #"{"radius":1000}"#), ("friend.add", #"{"user":"alice"}"#),
            ("friend.remove", #"{"user":"alice"}"#), ("friend.add", #"{"user":"alice"}"#),
            ("friend.share", #"{"with":"all"}"#),
        ] {
            #expect(
                try blocked.ask("bob", method, payload) == free.ask("bob", method, payload),
                "\(method) \(payload)")
        }
        #expect(!blocked.published().contains { $0.topic == "kith/users/alice/notices" })
        #expect(free.published().contains { $0.topic == "kith/users/alice/notices" })
        #expect(try inSight(of: "alice", blocked) == [])
        #expect(
            try blocked.ask("alice", "friend.nearby", #"{"radius":1000}"#)["result"]?["friends"]
                == .array([]))
    }

    @Test func `A user can list and unblock the users they blocked`() throws {
        let world = try world()
        try world.ask("alice", "friend.block", #"{"user":"bob"}"#)
        let list = try world.ask("alice", "friend.list", #"{"of":"blocked"}"#)
        #expect(list["result"]?["friends"]?.elements.map { $0["user"]?.text } == ["bob"])
        #expect(try world.outcome("alice", "friend.add", #"{"user":"bob"}"#) == "not-allowed")
        #expect(
            try world.outcome("alice", "friend.block", #"{"user":"alice"}"#).hasPrefix("invalid"))
        #expect(try world.outcome("alice", "friend.block", #"{"user":"nobody"}"#) == "unknown-user")
        try world.ask("alice", "friend.unblock", #"{"user":"bob"}"#)
        // He has never stopped sharing.
        #expect(try inSight(of: "alice", world) == ["bob"])
        #expect(try inSight(of: "bob", world) == [])
        #expect(try world.outcome("alice", "friend.add", #"{"user":"bob"}"#) == "ok")
    }

    @Test func `A block does not affect common groups`() throws {
        let world = try world()
        try world.addGroup("Family", "alice", "bob")
        try world.ask("alice", "friend.block", #"{"user":"bob"}"#)
        try Script.check(
            in: world, showing: .states,
            """
            10:00:10 alice shares with family
                family sees alice v2: active, at 10 m
            """)
        #expect(try world.outcome("bob", "members.get", #"{"group":"$family"}"#) == "ok")
    }
}

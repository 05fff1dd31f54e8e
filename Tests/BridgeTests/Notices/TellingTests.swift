import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A notice to many people is sent in steps, once to each, whatever happens in between.
struct TellingTests {
    private static let size = 60

    /// Alice and many others are in the choir; Bob is not.
    private func world() throws -> World {
        let world = try World()
        let members = try (0..<TellingTests.size).map { number in
            try #require(Name(number == 0 ? "alice" : "singer\(number)"))
        }
        try world.addUsers("bob")
        try world.operate(
            members.map {
                .addUser($0, displayName: $0.text, email: nil, ownTracksPublishIsSOS: false)
            })
        try world.addGroup("Choir", "alice")
        let key = world.names["choir"]
        try world.operate(members.dropFirst().map { .addMember(key, $0) })
        try world.addGroup("Pair", "bob", "alice")
        try world.pass(.seconds(10))
        _ = world.published()
        return world
    }

    private func make(_ world: World) throws {
        try world.turn([
            world.requestMessage(
                "alice", "observer.create", #"{"id":1,"group":"$choir","name":"Screen"}"#)
        ])
    }

    private func told(_ world: World) throws -> [Int64] {
        try world.integers(
            "SELECT COUNT(*) FROM notices WHERE kind = 'observer-added' GROUP BY user_id")
    }

    @Test func `All members of a large group are notified, in steps`() throws {
        let world = try world()
        try make(world)
        #expect(try told(world).count <= Notices.toldInStep)
        #expect(try world.count("tellings") == 1)
        try world.pass(.seconds(2))
        #expect(try told(world) == Array(repeating: 1, count: TellingTests.size))
        #expect(try world.count("tellings") == 0)
        #expect(world.engine.nextTimer.map { $0 > world.now } ?? true)
    }

    @Test func `A process end between two steps skips no member and notifies none twice`() throws {
        let world = try world()
        try make(world)
        for _ in 0..<4 {
            try world.restart()
            world.sleep(.milliseconds(100))
            try world.turn([], .timers)
        }
        try world.pass(.seconds(2))
        #expect(try told(world) == Array(repeating: 1, count: TellingTests.size))
    }

    @Test func `A call for help precedes the next step`() throws {
        let world = try world()
        try make(world)
        let before = try told(world).count
        world.sleep(.milliseconds(100))
        let sent = try world.turn([world.requestMessage("bob", "sos.trigger", #"{"id":1}"#)])
        #expect(sent.contains { $0.topic.hasSuffix("/alerts") })
        #expect(try told(world).count == before)
        world.sleep(.milliseconds(100))
        try world.turn([], .timers)
        #expect(try told(world).count > before)
    }

    @Test func `A member who has left is not notified by a later step`() throws {
        let world = try world()
        try make(world)
        let last = try #require(Name("singer\(TellingTests.size - 1)"))
        try world.turn([
            world.requestMessage(Sender(last.text), "group.leave", #"{"group":"$choir"}"#)
        ])
        try world.pass(.seconds(2))
        #expect(try told(world).count == TellingTests.size - 1)
    }

    @Test func `Pending notices do not name an erased user`() throws {
        let world = try world()
        try make(world)
        try world.operate(.removeUser("alice"))
        let named = try world.integers(
            "SELECT COUNT(*) FROM tellings WHERE by_id IS NOT NULL OR payer_id IS NOT NULL")
        #expect(named == [0])
        try world.pass(.seconds(2))
        #expect(try world.count("tellings") == 0)
    }

    @Test func `Sharing with many friends is immediate, with notices in steps, once each`() throws {
        let world = try world()
        try world.store.transaction { transaction in
            let users = try transaction.users()
            guard let alice = users.first(where: { $0.name.text == "alice" }) else { return }
            for user in users where user.id != alice.id {
                try transaction.insertFriend(user.id, of: alice.id, at: world.now)
            }
        }
        for method in ["friend.share", "friend.unshare", "friend.share"] {
            let reply = try world.ask("alice", method, #"{"with":"all"}"#)
            #expect(
                reply["result"]?["watchers"]?.elements.count
                    == (method == "friend.share" ? TellingTests.size : 0))
        }
        #expect(try world.count("tellings") == 1)
        try world.pass(.seconds(5))
        let told = try world.integers(
            "SELECT COUNT(*) FROM notices WHERE kind = 'location-shared' GROUP BY user_id")
        #expect(told.count == TellingTests.size)
        // Only friends notified before the second time are notified again.
        #expect(told.count { $0 > 1 } <= Notices.toldInStep * 2)
    }

    @Test func `A large group's new name reaches its members' lists in steps`() throws {
        let world = try world()
        world.goesOn = false
        let sent = try world.turn([
            world.requestMessage("alice", "group.rename", #"{"group":"$choir","name":"Band"}"#)
        ])
        #expect(sent.count { $0.topic.hasSuffix("/groups") } == 25)
        try world.pass(.seconds(2))
        let lists = world.retained.filter {
            $0.key.hasSuffix("/groups")
                && String(decoding: $0.value, as: UTF8.self).contains("Band")
        }
        #expect(lists.count == TellingTests.size)
    }
}

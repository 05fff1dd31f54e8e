import Contract
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

struct FriendListTests {
    static func world() throws -> World {
        let world = try World()
        try world.addUsers("alice", "bob", "carol", "dave")
        _ = world.published()
        return world
    }

    @Test func `Alice adds Bob to her list, and Bob is notified`() throws {
        let world = try Self.world()
        try Script.check(
            in: world,
            """
            10:00:00 alice asks friend.add {"user":"bob"}
                bob notice: friend-added Alice
                alice/phone reply: ok
            10:00:01 alice asks friend.add {"user":"nobody"}
                alice/phone reply: unknown-user
            10:00:02 alice asks friend.add {"user":"alice"}
                alice/phone reply: invalid: user is you
            10:00:03 alice asks friend.add
                alice/phone reply: invalid: user is missing
            10:00:04 alice asks friend.add {"user":"bob"}
                alice/phone reply: ok
            10:00:05 alice asks friend.remove {"user":"bob"}
                alice/phone reply: ok
            10:00:06 alice asks friend.remove {"user":"bob"}
                alice/phone reply: not-a-friend
            10:00:07 alice asks friend.remove {"user":"nobody"}
                alice/phone reply: not-a-friend
            """)
    }

    @Test func `A notice names the user who caused it`() throws {
        let world = try Self.world()
        try world.ask("alice", "friend.add", #"{"user":"bob"}"#)
        let sent = world.published().first { $0.topic == "kith/users/bob/notices" }
        let notice = JSONValue.read(try #require(sent).payload)
        #expect(notice["kind"]?.text == "friend-added")
        #expect(notice["user"]?.text == "alice")
        #expect(notice["name"]?.text == "Alice")
        #expect(notice["at"]?.text == "2026-05-01T10:00:00.000Z")
        #expect(sent?.qos == .atLeastOnce)
        #expect(sent?.outboxRow != nil)
    }

    @Test func `A list is private and names only users who also list its owner`() throws {
        let world = try Self.world()
        for user in ["carol", "bob"] {
            try world.ask("alice", "friend.add", "{\"user\":\"\(user)\"}")
        }
        try world.ask("bob", "friend.add", #"{"user":"alice"}"#)
        world.sleep(.seconds(1))
        try world.ask("bob", "friend.share", #"{"with":"all"}"#)
        let alices = try world.ask("alice", "friend.list")
        let expected =
            #"{"friends":[{"user":"bob","name":"Bob","addedAt":"2026-05-01T10:00:00.000Z","#
            + #""visibleSince":"2026-05-01T10:00:01.000Z"},"#
            + #"{"user":"carol","addedAt":"2026-05-01T10:00:00.000Z"}],"next":null}"#
        #expect(alices["result"] == .read(Array(expected.utf8)))
        let bobs = try world.ask("bob", "friend.list")
        #expect(bobs["result"]?["friends"]?.elements.first?["sharedSince"]?.text != nil)
        #expect(bobs["result"]?["friends"]?.elements.first?["visibleSince"] == nil)
        #expect(try world.ask("carol", "friend.list")["result"]?["friends"] == .array([]))
        let sharers = try world.ask("alice", "friend.list", #"{"of":"sharers"}"#)
        #expect(sharers["result"]?["friends"]?.elements.map { $0["user"]?.text } == ["bob"])
        #expect(
            try world.outcome("alice", "friend.list", #"{"of":"enemies","cursor":"X"}"#)
                == "invalid: of must be friends, sharers or blocked; cursor \(notAName)")
    }

    @Test func `A user has at most 500 friends, who are listed in pages`() throws {
        let world = try Self.world()
        let names = try (0...BridgeSettings.maximumFriends).map {
            try #require(Name("f\(10_000 + $0)"))
        }
        try world.operate(
            names.map {
                .addUser(
                    $0, displayName: String(repeating: "Ü", count: 64), email: nil,
                    ownTracksPublishIsSOS: false)
            })
        // A user who has Alice on their list is not a stranger to her.
        try world.turn(
            names.map { world.requestMessage(Sender($0.text), "friend.add", #"{"user":"alice"}"#) })
        try world.turn(
            names.dropLast().map {
                world.requestMessage("alice", "friend.add", "{\"user\":\"\($0)\"}")
            })
        let last = try #require(names.last)
        #expect(try world.outcome("alice", "friend.add", "{\"user\":\"\(last)\"}") == "too-many")
        #expect(try world.outcome("alice", "friend.share", #"{"with":"all"}"#) == "ok")
        var (seen, cursor, pages): ([String], String?, Int) = ([], nil, 0)
        repeat {
            let page = try world.ask(
                "alice", "friend.list", cursor.map { "{\"cursor\":\"\($0)\"}" } ?? "{}")
            seen += (page["result"]?["friends"]?.elements ?? []).compactMap { $0["user"]?.text }
            cursor = page["result"]?["next"]?.text
            pages += 1
        } while cursor != nil && pages < 20
        #expect(seen == names.dropLast().map(\.text))
        #expect(pages > 1)
    }
}

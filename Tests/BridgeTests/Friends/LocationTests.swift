import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

struct LocationTests {
    @Test func `Friendship alone shows nothing`() throws {
        let world = try World.withFriends()
        try Script.check(in: world, "10:00:00 alice at 10 m")
        #expect(world.retained["kith/users/alice/location"] == nil)
        for user in ["alice", "bob", "carol", "dave"] as [Name] {
            #expect(try world.inSight(of: user) == [])
        }
    }

    @Test func `A position is shared with chosen friends, who are notified, and follows`() throws {
        let world = try World.withFriends()
        try Script.check(
            in: world,
            """
            10:00:00 alice at 10 m
            10:00:01 alice asks friend.share {"with":["bob"]}
                bob notice: location-shared Alice
                alice/phone reply: ok
                alice's location: at 10 m
            10:00:02 alice at 20 m taken 1 s ago & alice at 21 m
                alice's location at 21 m
            10:00:03 alice at 5 m taken 60 s ago
            10:00:04 alice asks friend.share {"with":"all"}
                carol notice: location-shared Alice
                alice/phone reply: ok
                alice's location: at 21 m
            10:00:05 alice asks friend.share {"with":"all"}
                alice/phone reply: ok
                alice's location: at 21 m
            10:00:06 alice asks friend.unshare {"with":["bob"]}
                alice/phone reply: ok
                alice's location: at 21 m
            10:00:07 alice asks friend.unshare {"with":"all"}
                alice/phone reply: ok
                alice's location: gone
            10:00:08 alice at 30 m
            """)
    }

    @Test func `Only the chosen friends can read a location, from the reply on`() throws {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(10))
        try world.ask("alice", "friend.share", #"{"with":["bob"]}"#)
        #expect(try world.inSight(of: "bob") == ["alice"])
        #expect(try world.inSight(of: "carol") == [])
        try world.ask("alice", "friend.share", #"{"with":["carol"]}"#)
        #expect(try world.inSight(of: "carol") == ["alice"])
        try world.ask("alice", "friend.unshare", #"{"with":["bob"]}"#)
        #expect(try world.inSight(of: "bob") == [])
        try world.ask("alice", "friend.remove", #"{"user":"carol"}"#)
        #expect(try world.inSight(of: "carol") == [])
        #expect(world.retained["kith/users/alice/location"] == nil)
        let changed = try world.integers(
            "SELECT COUNT(*) FROM access_changes WHERE principal IN ('bob', 'carol')")
        // Beside the two accounts.
        #expect(changed == [2 + 4])
    }

    @Test func `A friend added later sees nothing until it is shared with them`() throws {
        let world = try World.withFriends()
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        try world.ask("alice", "friend.add", #"{"user":"dave"}"#)
        try world.fix("alice", TestFix(10))
        #expect(try world.inSight(of: "dave") == [])
        #expect(try world.inSight(of: "bob") == ["alice"])
    }

    @Test(arguments: [true, false])
    func `A call on another device shows friends and links where that device is`(isNamed: Bool)
        throws
    {
        let world = try World.withFriends()
        try world.fix("alice/phone", TestFix(10))
        try world.fix("alice/watch", TestFix(5_000))
        try world.ask("alice/phone", "friend.share", #"{"with":["bob"]}"#)
        let link = try world.sharePosition()
        #expect(world.meters(link) == 10)
        try world.pass(.seconds(1))
        if isNamed {
            try world.ask("alice/phone", "device.carry", #"{"device":"watch"}"#)
        } else {
            try world.ask("alice/watch", "sos.trigger")
        }
        let seen = JSONValue.read(world.retained["kith/users/alice/location"] ?? [])
        #expect(seen.fixMeters == 5_000)
        #expect(world.meters(link) == 5_000)
    }

    @Test func `Friends see a fix with the user's name`() throws {
        let world = try World.withFriends()
        try world.ask(
            "alice", "friend.share",
            #"{"with":["bob"],"fix":{"latitude":46.05,"longitude":14.51,"accuracy":5.5}}"#)
        let payload = try #require(world.retained["kith/users/alice/location"])
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"user":"alice","name":"Alice","latitude":46.05,"longitude":14.51,"#
                + #""timestamp":"2026-05-01T10:00:00.000Z","accuracy":5.5,"#
                + #""receivedAt":"2026-05-01T10:00:00.000Z"}"#)
        try world.ask("alice", "account.update", #"{"firstName":"Alicia"}"#)
        let renamed = JSONValue.read(world.retained["kith/users/alice/location"] ?? [])
        #expect(renamed["name"]?.text?.contains("Alicia") == true)
    }

    @Test func `A corrected position counts as the newest, whatever the phone's clock says`() throws
    {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(10, ago: -30))
        let reply = try world.ask(
            "alice", "friend.share", "{\"with\":[\"bob\"],\"fix\":{\(Meridian.json(77))}}")
        #expect(reply["result"]?["fix"]?.fixMeters == 77)
        #expect(reply["result"]?["watchers"] == .array([.string("bob")]))
        let seen = JSONValue.read(world.retained["kith/users/alice/location"] ?? [])
        #expect(seen.fixMeters == 77)
        // It is part of the history like any other.
        #expect(try world.count("fixes") == 2)
    }

    @Test func `A refused share gets one reply and changes nothing`() throws {
        let world = try World.withFriends()
        try Script.check(
            in: world,
            """
            10:00:00 alice asks friend.share {"with":["bob","dave","nobody"],"fix":{"latitude":1,"longitude":1}}
                alice/phone reply: not-a-friend: with dave is not on your list of friends; with nobody is not on your list of friends
            10:00:01 alice asks friend.share {"with":["bob"],"fix":{"latitude":91,"longitude":"x"}}
                alice/phone reply: invalid: fix.latitude must be from -90 to 90; fix.longitude must be a number
            10:00:02 alice asks friend.share {"with":["bob"],"fix":{"latitude":1,"longitude":1,"timestamp":1000}}
                alice/phone reply: invalid: fix.timestamp is older than the service keeps fixes
            10:00:03 alice asks friend.share {"with":[]}
                alice/phone reply: invalid: with must be "all" or a list of user names
            10:00:04 alice asks friend.share {"with":["bob","B!"]}
                alice/phone reply: invalid: with[1] is not a user name
            10:00:05 alice asks friend.share
                alice/phone reply: invalid: with is missing
            10:00:06 dave asks friend.share {"with":"all"}
                dave/phone reply: not-a-friend
            10:00:07 alice asks friend.unshare {"with":["dave"]}
                alice/phone reply: not-a-friend: with dave is not on your list of friends
            """)
        #expect(try world.count("fixes") == 0)
        #expect(try world.inSight(of: "bob") == [])
    }

    @Test func `The location is the same after a crash and a restart`() throws {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(10))
        let share = world.requestMessage("alice", "friend.share", #"{"with":["bob"],"id":1}"#)
        try world.crashAfterCommit(of: [share])
        #expect(JSONValue.read(world.retained["kith/users/alice/location"] ?? []).fixMeters == 10)
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(20))
        try world.restart()
        #expect(JSONValue.read(world.retained["kith/users/alice/location"] ?? []).fixMeters == 20)
        #expect(try world.twin().corrections(of: world.retained).isEmpty)
        let off = world.requestMessage("alice", "location.off", #"{"id":2}"#)
        try world.crashAfterCommit(of: [off])
        #expect(world.retained["kith/users/alice/location"] == nil)
    }

    @Test func `Lost or stale retained locations are corrected on connecting`() throws {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(10))
        try world.ask("alice", "friend.share", #"{"with":["bob"]}"#)
        let right = try #require(world.retained["kith/users/alice/location"])
        var kept = world.retained
        kept["kith/users/alice/location"] = Array("{}".utf8)
        kept["kith/users/bob/location"] = right
        let corrections = try world.engine.corrections(of: kept)
        #expect(
            corrections.map(\.topic) == ["kith/users/alice/location", "kith/users/bob/location"])
        #expect(corrections.map(\.payload) == [right, []])
    }

    @Test func `A user sees the locations of at most 1000 users, not counting blocked ones`() throws
    {
        let world = try World.withFriends()
        let names = try (0...BridgeSettings.maximumSharers).map {
            try #require(Name("s\(10_000 + $0)"))
        }
        try world.operate(
            names.map {
                .addUser($0, displayName: "X", email: nil, ownTracksPublishIsSOS: false)
            })
        try world.turn(
            names.map { world.requestMessage(Sender($0.text), "friend.add", #"{"user":"bob"}"#) })
        let share = #"{"with":"all"}"#
        try world.turn(
            names.dropLast().map { world.requestMessage(Sender($0.text), "friend.share", share) })
        #expect(try world.inSight(of: "bob").count == BridgeSettings.maximumSharers)
        let last = Sender(try #require(names.last).text)
        #expect(
            try world.outcome(last, "friend.share", share)
                == "too-many: with bob already sees the positions of too many people")
        try world.ask("bob", "friend.block", "{\"user\":\"\(last.user)\"}")
        #expect(try world.outcome(last, "friend.share", share) == "ok")
        #expect(try world.inSight(of: "bob").count == BridgeSettings.maximumSharers)
    }

    // MARK: Deleted accounts

    @Test func `A deleted user is removed from all lists and shares`() throws {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(10))
        try world.ask("alice", "friend.share", #"{"with":["bob"]}"#)
        try world.ask("carol", "friend.add", #"{"user":"alice"}"#)
        try world.ask("carol", "friend.share", #"{"with":["alice"]}"#)
        try world.fix("carol", TestFix(5))
        #expect(world.retained["kith/users/carol/location"] != nil)
        try world.operate(.removeUser("alice"))
        #expect(try world.count("friends") == 0)
        #expect(world.retained["kith/users/alice/location"] == nil)
        // She shared only with Alice.
        #expect(world.retained["kith/users/carol/location"] == nil)
        #expect(try world.inSight(of: "bob") == [])
        let changed = try world.integers(
            "SELECT MAX(number) FROM access_changes WHERE principal = 'bob'")
        #expect(changed.first ?? 0 > 0)
        #expect(try world.twin().corrections(of: world.retained).isEmpty)
    }
}

import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

struct GroupTests {
    @Test func `A group is created, grows, is renamed, shrinks and ends with its last member`()
        throws
    {
        let world = try World()
        try world.addUsers("alice", "bob")
        try world.letAdd("alice", "bob")
        try Script.check(
            in: world,
            """
            10:00:00 alice asks group.create {"name":"Choir"}
                choir: alice
                alice's groups: Choir
                alice/phone reply: ok
                choir sees alice v1: inactive, nowhere
            10:00:10 alice asks group.add {"group":"$choir","user":"bob"}
                choir: alice, bob
                bob's groups: Choir
                bob notice: added-to-group Choir by alice
                alice notice: added-to-group Choir by alice
                alice/phone reply: ok
                choir sees bob v1: inactive, not online, nowhere
            10:00:20 bob asks group.rename {"group":"$choir","name":"Band"}
                choir (Band): alice, bob
                bob/phone reply: ok
                choir sees bob v2: inactive, nowhere
                alice's groups: Band
                bob's groups: Band
            10:00:30 alice asks group.remove {"group":"$choir","user":"bob"}
                choir sees bob: gone
                bob's groups: none
                choir (Band): alice
                bob notice: removed-from-group Band by alice
                alice/phone reply: ok
                bob notice: nobody-left ? by alice
            10:00:40 alice asks group.leave {"group":"$choir"}
                choir sees alice: gone
                alice's groups: none
                choir: gone
                alice/phone reply: ok
            """)
        #expect(try world.count("groups") == 0)
        #expect(try world.count("memberships") == 0)
        let left = world.retained.filter { $0.value != Array("[]".utf8) }.keys.sorted()
        // Bob's notices stay until he has seen them.
        #expect(left == ["kith/users/bob/unread"])
    }

    @Test func `Notices of the operator's group changes name no actor`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world,
            """
            10:00:00 the operator adds dave to family
                family: alice, bob, dave
                dave's groups: Family
                dave notice: added-to-group Family
                family sees dave v1: inactive, not online, nowhere
            10:00:10 the operator removes bob from family
                family sees bob: gone
                bob's groups: Choir
                family: alice, dave
                bob notice: removed-from-group Family
            """)
    }

    @Test func `A member removed by another is notified, a leaving member is not`() throws {
        let world = try World.withNeighbours()
        try world.letAdd("alice", "dave")
        try Script.check(
            in: world, showing: .notices,
            """
            10:00:00 alice asks group.add {"group":"$family","user":"dave"}
                dave notice: added-to-group Family by alice
                alice notice: added-to-group Family by alice
            10:00:10 alice asks group.remove {"group":"$family","user":"dave"}
                dave notice: removed-from-group Family by alice
                dave notice: nobody-left ? by alice
            10:00:20 bob asks group.leave {"group":"$family"}
                alice notice: nobody-left Carol by bob
            10:00:30 alice asks group.remove {"group":"$family","user":"alice"}
            """)
    }

    @Test func `Leaving clears a member's state and path from the broker`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world,
            """
            10:00:00 alice travels to 9000 m by 11:00:00 with family
            10:00:01 to 10:02:00 every 1 s alice at 0 m +1 m
            """)
        #expect(world.segments(of: "alice").count == 2)
        try Script.check(
            in: world,
            """
            10:03:00 alice asks group.leave {"group":"$family"}
                family alert: alice journey-stopped at 119 m
                family sees alice: gone
                family sees alice's path 1: gone
                family sees alice's path 2: gone
                alice's groups: none
                family: bob
                alice/phone reply: ok
                bob notice: nobody-left ? by alice
            10:03:10 alice at 500 m
            """)
        #expect(world.segments(of: "alice").isEmpty)
        #expect(try world.count("path_groups") == 0)
    }

    @Test func `A journey and an SOS continue for the remaining groups`() throws {
        let world = try World.withNeighbours()
        try world.letAdd("bob", "alice")
        try Script.check(
            in: world, showing: [.states, .paths, .alerts],
            """
            10:00:00 alice travels to 1000 m by 11:00:00 with family, work
                family alert: alice journey-started
                work alert: alice journey-started
                family sees alice v3: routing, nowhere
                work sees alice v3: routing, nowhere
            10:00:10 alice at 10 m
                family sees alice's path 1: journey, 1 points: 10
                work sees alice's path 1: journey, 1 points: 10
            10:00:20 alice asks group.leave {"group":"$family"}
                family alert: alice journey-stopped at 10 m
                family sees alice: gone
                family sees alice's path 1: gone
            10:00:30 alice at 20 m
                work sees alice's path 1: journey, 2 points: 10 20
            10:00:40 alice triggers SOS
                work alert: alice sos at 20 m
                work sees alice's path 1: sos, 2 points: 10 20
                work sees alice v6: sos, at 20 m
            10:00:50 alice asks group.leave {"group":"$work"}
            10:00:55 bob asks group.add {"group":"$choir","user":"alice"}
                family sees bob v2: inactive, nowhere
                choir sees bob v2: inactive, nowhere
                choir sees alice v5: inactive, nowhere
            10:01:00 alice asks sos.stop
                work alert: alice sos-stopped at 20 m
                work sees alice's path 1: gone
                work sees alice v7: routing, at 20 m
            """)
    }

    @Test func `A change is not lost when another group is left in the same turn`() throws {
        let world = try World.withNeighbours()
        try Script.play(in: world, "10:00:00 alice shares with work")
        try Script.check(
            in: world, showing: [.states, .positions],
            """
            10:00:10 alice at 10 m & alice asks group.leave {"group":"$family"}
                family sees alice: gone
                work sees alice v4 at 10 m
            10:00:20 alice at 20 m
                work sees alice v5 at 20 m
            10:00:30 alice at 30 m & alice asks group.leave {"group":"$work"}
                work sees alice: gone
            """)
    }

    @Test func `Leaving and rejoining in one turn resets the member's state`() throws {
        let world = try World.withFamily()
        try world.letAdd("bob", "alice")
        try Script.play(in: world, "10:00:00 alice shares with all\n10:00:01 alice at 5 m")
        try Script.check(
            in: world, showing: [.states, .positions, .groups, .notices],
            """
            10:00:10 alice at 10 m & bob asks group.remove {"group":"$family","user":"alice"} & bob asks group.add {"group":"$family","user":"alice"} & alice at 20 m
                family sees alice: gone
                alice's groups: none
                family: bob
                alice notice: removed-from-group Family by bob
                family: bob, alice
                alice's groups: Family
                alice notice: added-to-group Family by bob
                bob notice: added-to-group Family by bob
                alice notice: nobody-left Bob by bob
                family sees alice v6: inactive, nowhere
            """)
    }

    @Test func `A user can be in at most a hundred groups`() throws {
        let world = try World.withFamily()
        try world.letAdd("bob", "alice")
        let requests = (0..<100).map { number in
            world.requestMessage("alice", "group.create", #"{"name":"G\#(number)"}"#)
        }
        let replies = try world.turn(requests).filter { $0.topic.contains("/replies") }
        #expect(
            replies.map { JSONValue.read($0.payload).outcome }
                == Array(repeating: "ok", count: 99) + ["too-many"])
        #expect(try world.outcome("bob", "group.create", #"{"name":"Choir"}"#) == "ok")
        #expect(
            try world.outcome("bob", "group.add", #"{"group":"$choir","user":"alice"}"#)
                == "too-many")
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$g0"}"#) == "ok")
        #expect(
            try world.outcome("bob", "group.add", #"{"group":"$choir","user":"alice"}"#) == "ok")
    }

    @Test func `A group has at most two thousand members`() throws {
        let world = try World.withFamily()
        try world.addUsers("yuri", "zoe")
        try world.letAdd("alice", "yuri", "zoe")
        // Short names, so that they fit into the group's message.
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789"
        let names = letters.flatMap { a in letters.flatMap { b in ["\(a)\(b)", "\(a)\(b)0"] } }
        try world.store.transaction { transaction in
            let group = try transaction.groups()[0].id
            for name in names.prefix(1997).compactMap({ Name($0) }) {
                let user = try transaction.insertUser(
                    name, displayName: "X", email: nil, ownTracksPublishIsSOS: false,
                    at: .morning)
                try transaction.insertMembership(group, user, at: .morning)
            }
        }
        try world.restart()
        func add(_ user: Name) throws -> String {
            try world.outcome("alice", "group.add", #"{"group":"$family","user":"\#(user)"}"#)
        }
        #expect(try [add("yuri"), add("zoe")] == ["ok", "too-many"])
    }

    @Test func `A member left alone in all groups gets a notice and the emergency number`() throws {
        let world = try World()
        try world.addUsers("alice", "bob", "carol")
        try world.addGroup("Family", "alice", "bob", "carol")
        _ = world.published()
        let remove = #"{"group":"$family","user":"carol"}"#
        #expect(try world.outcome("bob", "group.remove", remove) == "ok")
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        let notice = try #require(world.notices(of: "alice").last)
        #expect(notice["kind"]?.text == "nobody-left")
        #expect(notice["but"] == nil)
        #expect(try world.noticeList("alice").unread == 1, "the newest is enough")
        #expect(try world.noticeList("carol").words.contains { $0.contains("nobody-left") })
        let reply = try world.ask("alice", "sos.trigger")["result"]
        #expect(reply?["alone"] == .bool(true))
        #expect(reply?["number"]?.text == "112")
        let refusal = try world.ask("bob", "sos.trigger")
        #expect(refusal.outcome == "not-a-member")
        #expect("\(refusal)".contains("no one was alerted. Call 112."))
    }

    @Test func `A member left with the remover of the others gets a notice`() throws {
        let world = try World()
        try world.addUsers("alice", "bob", "carol")
        try world.addGroup("Family", "alice", "bob", "carol")
        _ = world.published()
        let remove = #"{"group":"$family","user":"carol"}"#
        #expect(try world.outcome("bob", "group.remove", remove) == "ok")
        let notice = try #require(world.notices(of: "alice").first)
        #expect(notice["kind"]?.text == "nobody-left")
        #expect(notice["but"] == .bool(true))
        #expect(notice["user"]?.text == "bob")
    }

    /// Eve admits her second account, removes Carol, and that account leaves.
    @Test(arguments: [0, 8])
    func `A member left with the remover gets a notice only soon after the removal`(_ days: Int64)
        throws
    {
        let world = try World()
        try world.addUsers("alice", "carol", "eve", "pup")
        try world.addGroup("Night", "alice", "carol", "eve", "pup")
        _ = world.published()
        let remove = #"{"group":"$night","user":"carol"}"#
        #expect(try world.outcome("eve", "group.remove", remove) == "ok")
        #expect(world.notices(of: "alice").isEmpty)
        try world.restart()
        world.sleep(.seconds(days * 86_400))
        #expect(try world.outcome("pup", "group.leave", #"{"group":"$night"}"#) == "ok")
        let notices = world.notices(of: "alice")
        guard days == 0 else {
            #expect(notices.isEmpty)
            return
        }
        #expect(notices.map { $0["kind"]?.text } == ["nobody-left"])
        #expect(notices.first?["but"] == .bool(true))
        #expect(notices.first?["user"]?.text == "eve")
    }

    @Test func `A removed member left with the remover in another group gets a notice`() throws {
        let world = try World()
        try world.addUsers("alice", "carol", "eve")
        try world.addGroup("Night", "alice", "carol", "eve")
        try world.addGroup("Pair", "alice", "eve")
        _ = world.published()
        let remove = #"{"group":"$night","user":"alice"}"#
        #expect(try world.outcome("eve", "group.remove", remove) == "ok")
        let notices = world.notices(of: "alice")
        #expect(notices.map { $0["kind"]?.text } == ["removed-from-group", "nobody-left"])
        #expect(notices.last?["user"]?.text == "eve")
    }

    @Test func `A leaving member who shares another group causes no notice`() throws {
        let world = try World()
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.addGroup("Work", "alice", "bob")
        _ = world.published()
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(world.notices(of: "alice").isEmpty)
    }

    @Test func `Repeatedly adding and removing a member pushes the notice three times`() throws {
        let world = try World.withChannels()
        try world.addUsers("eve")
        try world.letAdd("alice", "eve")
        _ = try world.add("eve", ChannelTests.webhook)
        _ = world.handedOver()
        var pushed = 0
        for _ in 0..<10 {
            _ = try world.ask("alice", "group.add", #"{"group":"$family","user":"eve"}"#)
            _ = try world.ask("alice", "group.remove", #"{"group":"$family","user":"eve"}"#)
            for delivery in world.handedOver() {
                pushed += delivery.message.kind == "nobody-left" ? 1 : 0
                try world.report(delivery, .delivered)
            }
            world.sleep(.seconds(2))
        }
        #expect(pushed == 3)
        let words = try world.noticeList("eve").words
        #expect(words.count { $0.contains("nobody-left") } == 1)
    }
}

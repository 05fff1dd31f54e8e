import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// OwnTracks apps are shown each person whom the viewer may see, once, in the viewer's own subtree.
struct OwnTracksViewTests {
    /// Bob's app has sent something; Carol has no app.
    private func world() throws -> World {
        let world = try World.withNeighbours()
        try Script.play(in: world, "10:00:00 bob's app at 900 m")
        return world
    }

    private func shown(_ world: World) -> [Publication] {
        world.published().filter { $0.topic.contains("/@") }
    }

    @Test func `A phone that switches between two apps changes its map at most once an hour`()
        throws
    {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:00 bob shares with all
            10:00:01 bob at 1 m
            10:00:02 alice/app at 0 m
            10:00:10 alice's app at 1 m
                alice's map: bob at 1 m, active
                alice's map info: bob is “Bob”
            10:00:11 alice/app at 11 m
            10:00:12 alice's app at 12 m
            10:00:13 alice/app at 13 m
            10:00:14 alice's app at 14 m
            """)
        #expect(world.retained["owntracks/alice/@bob"] != nil)
        try Script.play(in: world, "11:00:11 alice/app at 1 m")
        #expect(world.retained["owntracks/alice/@bob"] == nil)
    }

    @Test func `A new app is shown the sharing members of a large group in steps`() throws {
        let world = try World()
        let size = 70
        let members = try (0..<size).map { try #require(Name("singer\($0)")) }
        try world.operate(
            members.map {
                .addUser($0, displayName: $0.text, email: nil, ownTracksPublishIsSOS: false)
            })
        try world.addGroup("Choir", "singer0")
        let key = world.names["choir"]
        try world.operate(members.dropFirst().map { .addMember(key, $0) })
        for name in members.dropFirst(10) {
            let sender = Sender(name.text)
            try world.fix(sender, TestFix(10))
            _ = try world.ask(sender, "sharing.start", #"{"groups":"all"}"#)
        }
        try world.pass(.seconds(5))
        _ = world.published()
        world.goesOn = false
        let location =
            #"{"_type":"location","lat":46,"lon":14.5,"tst":\#(world.now.milliseconds / 1000)}"#
        try world.turn([world.ownTracks("singer0", location)])
        #expect(shown(world).count == 2 * OwnTracks.shownInTurn)
        try world.pass(.seconds(1))
        #expect(world.retained.keys.count { $0.hasPrefix("owntracks/singer0/@") } == 2 * 60)
        #expect(shown(world).allSatisfy { !$0.payload.isEmpty })
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        // Others are shown nothing, and nothing is cleared that was not there.
        try world.turn([world.status("singer5", "online")])
        _ = shown(world)
        _ = try world.ask("singer5", "group.leave", #"{"group":"$choir"}"#)
        try world.pass(.seconds(1))
        #expect(shown(world).isEmpty)
        _ = try world.ask("singer0", "group.leave", #"{"group":"$choir"}"#)
        #expect(shown(world).count == 2 * OwnTracks.shownInTurn)
        try world.pass(.seconds(1))
        #expect(world.retained.keys.count { $0.hasPrefix("owntracks/singer0/@") } == 0)
    }

    @Test func `An alert about a member with a duplicate name includes the user name`() throws {
        let world = try world()
        try world.operate(
            .addUser("a1ice", displayName: "Alice", email: nil, ownTracksPublishIsSOS: false),
            .addMember(world.names["family"], "a1ice"))
        try Script.play(in: world, "10:00:00 alice at 5 m")
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:10 alice triggers SOS
                bob's map event: alice enters “SOS: Alice (alice) has sent an SOS and needs help!”
                bob's map: alice at 5 m, sos
                bob's map info: alice is “Alice · SOS”
            """)
    }

    @Test func `Only members with an app are shown others on the map`() throws {
        let world = try world()
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:00 alice at 1 m
                bob's map: alice gone
                bob's map info: alice gone
            10:00:10 alice shares with all
                bob's map: alice at 1 m, active
                bob's map info: alice is “Alice”
            10:00:20 alice at 20 m
                bob's map: alice at 20 m, active
                bob's map info: alice is “Alice”
            10:00:30 carol shares with all
                bob's map: carol gone
                bob's map info: carol gone
            10:00:40 carol at 40 m
                bob's map: carol at 40 m, active
                bob's map info: carol is “Carol”
            10:00:50 bob shares with all
            """)
    }

    @Test func `Locations and cards have the field types that the apps require`() throws {
        let world = try world()
        try Script.play(in: world, "10:00:00 alice shares with all")
        try world.send(
            world.fixMessage(
                "alice",
                #"{"latitude":46.0512345,"longitude":14.51,"timestamp":1777629599750,"#
                    + #""accuracy":5.5,"altitude":300.4,"heading":90.6,"speed":10,"battery":80.5}"#)
        )
        func text(_ topic: String) -> String {
            String(decoding: world.retained[topic] ?? [], as: UTF8.self)
        }
        #expect(
            text("owntracks/bob/@alice")
                == #"{"_type":"location","tid":"ce","lat":46.0512345,"lon":14.51,"tst":1777629599,"#
                + #""acc":6,"vel":36,"cog":91,"alt":300,"batt":81,"state":"active","warnings":[]}"#)
        #expect(
            text("owntracks/bob/@alice/info") == #"{"_type":"card","name":"Alice","tid":"ce"}"#)
        let publication = try #require(
            world.published().last { $0.topic == "owntracks/bob/@alice" })
        #expect(publication.qos == .atLeastOnce)
        #expect(publication.retain)
    }

    @Test func `An alert is sent to the group's other members as an unretained transition`() throws
    {
        let world = try world()
        try Script.play(in: world, "10:00:00 alice at 5 m\n10:00:00 alice's app at 6 m")
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:10 alice triggers SOS
                bob's map event: alice enters “SOS: Alice has sent an SOS and needs help!”
                bob's map: alice at 5 m, sos
                bob's map info: alice is “Alice · SOS”
            10:00:20 bob acknowledges
            10:00:30 alice stops SOS
                bob's map event: alice enters “Alice has ended the SOS.”
                bob's map: alice at 5 m, active
                bob's map info: alice is “Alice”
            """)
        let events = world.published().filter { $0.topic.hasSuffix("/event") }
        #expect(events.allSatisfy { !$0.retain })
        #expect(world.retained.keys.filter { $0.hasSuffix("/event") } == [])
    }

    @Test func `An SOS without a position becomes a transition once a position arrives`() throws {
        let world = try world()
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:10 alice triggers SOS
                bob's map: alice gone
                bob's map info: alice gone
            10:00:50 alice at 5 m
                bob's map event: alice enters “SOS: Alice has sent an SOS and needs help!”
                bob's map: alice at 5 m, sos
                bob's map info: alice is “Alice · SOS”
            10:01:20
            """)
    }

    /// Which of the two groups comes last must not matter.
    @Test(arguments: ["family", "work"])
    func `A viewer sees an exact position if any shared group allows it`(_ coarse: String) throws {
        let world = try World()
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.addGroup("Work", "bob", "alice")
        try Script.play(
            in: world,
            """
            10:00:00 bob's app at 900 m
            10:00:10 alice shares with all
            """)
        let rough = #"{"group":"$\#(coarse)","precision":"city"}"#
        #expect(try world.outcome("alice", "sharing.precision", rough) == "ok")
        try Script.play(in: world, "10:00:20 alice at 20 m")
        let map = JSONValue.read(world.retained["owntracks/bob/@alice"] ?? [])
        guard case .number(let latitude)? = map["lat"] else {
            Issue.record("no position")
            return
        }
        #expect(Meridian.meters(latitude: latitude) == 20)
    }

    @Test func `A person in two shared groups appears once, as in the group that sees most`() throws
    {
        let world = try World()
        try world.addUsers("alice", "bob")
        try world.addGroup("Family", "alice", "bob")
        try world.addGroup("Work", "bob", "alice")
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:00 bob's app at 900 m
            10:00:01 alice at 1 m
                bob's map: alice gone
                bob's map info: alice gone
            10:00:10 alice shares with all
                bob's map: alice at 1 m, active
                bob's map info: alice is “Alice”
            10:00:20 alice at 20 m
                bob's map: alice at 20 m, active
                bob's map info: alice is “Alice”
            10:00:30 alice stops sharing with work
                bob's map: alice at 20 m, active
                bob's map info: alice is “Alice”
            10:00:40 alice at 40 m
                bob's map: alice at 40 m, active
                bob's map info: alice is “Alice”
            10:00:50 alice travels to 9000 m by 11:00:00 with work
                bob's map event: alice enters “Alice is on the way to the lake and expects to arrive by 11:00 UTC.”
                bob's map: alice at 40 m, routing
                bob's map info: alice is “Alice”
            10:01:00 alice stops sharing with all
                bob's map event: alice enters “Alice has stopped the journey to the lake.”
                bob's map: alice gone
                bob's map info: alice gone
            10:01:10 alice at 110 m
            """)
    }

    @Test func `A viewer who left a group neither sees its members nor is seen by them`() throws {
        let world = try world()
        try Script.play(
            in: world,
            """
            10:00:01 alice's app at 1 m
            10:00:02 alice shares with all
            10:00:03 bob shares with all
            """)
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:10 alice asks group.leave {"group":"$family"}
                bob's map: alice gone
                bob's map info: alice gone
                alice's map: bob gone
                alice's map info: bob gone
            10:00:20 alice at 20 m
            """)
        #expect(world.retained["owntracks/bob/@alice"] == nil)
        #expect(world.retained["owntracks/alice/@bob"] == nil)
    }

    @Test func `A member who stops sharing and leaves in one turn is no longer shown`() throws {
        let world = try world()
        try Script.play(in: world, "10:00:01 alice at 1 m\n10:00:02 alice shares with all")
        #expect(world.retained["owntracks/bob/@alice"] != nil)
        try world.turn([
            world.requestMessage("alice", "sharing.stop", #"{"groups":"all"}"#),
            world.requestMessage("alice", "group.leave", #"{"group":"\#(world.names["family"])"}"#),
        ])
        try world.pass(.seconds(1))
        #expect(world.retained.keys.filter { $0.contains("/@alice") } == [])
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test(arguments: ["alice", "bob"])
    func `Deleting a user clears them from every map and clears their own map`(_ user: String)
        throws
    {
        let world = try world()
        try Script.play(
            in: world,
            """
            10:00:01 alice's app at 1 m
            10:00:02 alice shares with all
            10:00:03 bob shares with all
            """)
        #expect(world.retained["owntracks/bob/@alice"] != nil)
        #expect(world.retained["owntracks/alice/@bob"] != nil)
        try Script.play(in: world, "10:00:10 the operator removes \(user)")
        #expect(world.retained.keys.filter { $0.contains("/@") } == [])
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test func `A phone that switches to OwnTracks is shown all members, until it leaves it`()
        throws
    {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 bob shares with all\n10:00:01 bob at 1 m")
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:10 alice/app at 0 m
            10:00:20 alice's app at 1 m
                alice's map: bob at 1 m, active
                alice's map info: bob is “Bob”
            10:00:30 bob at 30 m
                alice's map: bob at 30 m, active
                alice's map info: bob is “Bob”
            """)
        try Script.play(in: world, "11:00:21 alice/app at 40 m\n11:00:31 bob at 50 m")
        #expect(world.retained.keys.filter { $0.contains("/@") } == [])
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    /// The app cannot send requests: its user sends them by other means, with the token of the same
    /// device.
    @Test func `A request from a device does not mean that it left OwnTracks`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 bob shares with all\n10:00:01 bob at 1 m")
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:20 alice's app at 1 m
                alice's map: bob at 1 m, active
                alice's map info: bob is “Bob”
            10:00:30 alice/app asks sharing.start {"groups":"all"} & alice/app comes online
            10:00:40 bob at 40 m
                alice's map: bob at 40 m, active
                alice's map info: bob is “Bob”
            """)
    }

    @Test func `Warnings show in the name while the group follows the journey`() throws {
        let world = try world()
        try Script.check(
            in: world, showing: .maps,
            """
            10:00:00 alice at 5 m & alice travels to 9000 m by 10:00:30 with family
                bob's map event: alice enters “Alice is on the way to the lake and expects to arrive by 10:00 UTC.”
                bob's map: alice at 5 m, routing
                bob's map info: alice is “Alice”
            10:00:40
                10:00:30.001 bob's map event: alice enters “Alice has not arrived at the lake by 10:00 UTC.”
                10:00:30.001 bob's map: alice at 5 m, routing
                10:00:30.001 bob's map info: alice is “Alice · late”
            10:02:00
                10:01:00 bob's map event: alice enters “Alice has gone offline.”
                10:01:00 bob's map: alice at 5 m, routing
                10:01:00 bob's map info: alice is “Alice · offline · late”
            10:02:10 alice stops the journey
                bob's map event: alice enters “Alice is back online.”
                bob's map event: alice enters “Alice has stopped the journey to the lake.”
                bob's map: alice at 5 m, active
                bob's map info: alice is “Alice”
            """)
    }
}

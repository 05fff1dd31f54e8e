import Contract
import JSON
import MQTT
import TestSupport
import Testing

@testable import Bridge

struct SharingTests {
    @Test func `A position is visible only to the groups it is shared with`() throws {
        let world = try World.withFamily()
        try world.addGroup("Work", "alice", "bob")
        try Script.check(
            in: world,
            """
            10:00:00 alice shares with family
                alice/phone reply: ok
                family sees alice v3: active, nowhere
            10:00:10 alice at 10 m
                family sees alice v4 at 10 m
            10:00:20 alice stops sharing with family
                alice/phone reply: ok
                family sees alice v5: inactive, at 10 m
            10:00:30 alice at 20 m
            10:00:40 alice shares with all
                alice/phone reply: ok
                family sees alice v6: active, at 20 m
                work sees alice v2: active, at 20 m
            10:05:00
            """)
    }

    @Test func `A person in two shared groups has one state in each`() throws {
        let world = try World.withNeighbours()
        try Script.play(in: world, "10:00:00 alice shares with all")
        try Script.check(
            in: world,
            """
            10:00:10 alice at 10 m
                family sees alice v4 at 10 m
                work sees alice v4 at 10 m
            10:00:20 alice at 20 m taken 3 s ago & alice at 30 m taken 2 s ago & alice/watch at 31 m taken 1 s ago & alice at 40 m
                family sees alice v8 at 40 m
                work sees alice v8 at 40 m
            """)
    }

    @Test func `A turn publishes only a member's newest position`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all & bob shares with all")
        _ = world.published()
        try world.fix("alice", TestFix(3, ago: 1), TestFix(2, ago: 2), TestFix(4))
        let states = world.published().filter { $0.topic.hasSuffix("/members/alice") }
        #expect(states.count == 1)
        let state = JSONValue.read(try #require(states.first).payload)
        #expect(state["fix"]?.fixMeters == 4)
        #expect(states.first?.qos == .atMostOnce)
        #expect(states.first?.retain == true)
    }

    @Test func `A state change in the same turn raises the position message to QoS 1`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: [.states, .positions],
            """
            10:00:00 alice at 10 m taken 2 s ago & alice shares with family & alice at 20 m
                family sees alice v4: active, at 20 m
            10:00:10 alice at 30 m taken 2 s ago & alice stops sharing with family & alice at 40 m
                family sees alice v6: inactive, at 30 m
            """)
    }

    @Test func `Stopping sharing leaves the last shared position and nothing newer`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world, showing: [.states, .positions],
            """
            10:00:00 alice shares with all
                family sees alice v3: active, nowhere
                work sees alice v3: active, nowhere
            10:00:01 alice at 10 m
                family sees alice v4 at 10 m
                work sees alice v4 at 10 m
            10:00:02 alice stops sharing with family
                family sees alice v5: inactive, at 10 m
            10:00:03 alice at 20 m
                work sees alice v5 at 20 m
            10:02:00
                10:01:03 family sees alice v6: inactive, not online, at 10 m
                10:01:03 work sees alice v6: active, not online, at 20 m
            10:03:00 alice at 30 m
                family sees alice v7: inactive, at 10 m
                work sees alice v7: active, at 30 m
            10:03:10 alice shares with family
                family sees alice v8: active, at 30 m
            """)
        let family = world.state(of: "alice")
        #expect(family["since"]?.text == "2026-05-01T10:03:10.000Z")
    }

    @Test func `Stopping sharing during a journey ends it only for that group`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world, showing: [.states, .alerts, .paths],
            """
            10:00:00 alice travels to 1000 m by 11:00:00 with family, work
                family alert: alice journey-started
                work alert: alice journey-started
                family sees alice v3: routing, nowhere
                work sees alice v3: routing, nowhere
            10:00:10 alice at 10 m
                family sees alice's path 1: journey, 1 points: 10
                work sees alice's path 1: journey, 1 points: 10
            10:00:20 alice stops sharing with family
                family alert: alice journey-stopped at 10 m
                family sees alice's path 1: gone
                family sees alice v5: inactive, at 10 m
            10:00:30 alice at 20 m
                work sees alice's path 1: journey, 2 points: 10 20
            10:00:40 alice stops sharing with work
                work alert: alice journey-stopped at 20 m
                work sees alice's path 1: gone
                work sees alice v6: inactive, at 20 m
            10:00:50 alice asks journey.stop
            """)
    }

    @Test func `A published position has exactly the fields of the contract`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        try world.send(
            world.fixMessage(
                "alice",
                #"{"latitude":46.05,"longitude":14.51,"timestamp":"2026-05-01T09:59:59.5+00:00","#
                    + #""accuracy":5.25,"altitude":300,"altitudeAccuracy":10,"heading":360,"#
                    + #""speed":1.5,"battery":80.5,"seq":7,"steps":12}"#))
        let payload = try #require(
            world.retained[world.topics.string(.member(world.names["family"], "alice"))])
        #expect(
            String(decoding: payload, as: UTF8.self)
                == #"{"user":"alice","name":"Alice","state":"active","online":true,"warnings":[],"#
                + #""fix":{"latitude":46.05,"longitude":14.51,"#
                + #""timestamp":"2026-05-01T09:59:59.500Z","accuracy":5.25,"altitude":300,"#
                + #""altitudeAccuracy":10,"heading":0,"speed":1.5,"battery":80.5,"seq":7,"#
                + #""receivedAt":"2026-05-01T10:00:00.000Z"},"#
                + #""since":"2026-05-01T10:00:00.000Z","version":4}"#)
    }
}

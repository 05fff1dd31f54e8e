import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

struct AlertTests {
    @Test func `An alert has the contract's fields, is stored once, kept until confirmed`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(7))
        _ = world.published()
        try world.ask("alice", "sos.trigger")
        let alerts = world.published().filter { $0.topic.hasSuffix("/alerts") }
        #expect(alerts.count == 1)
        #expect(alerts[0].qos == .atLeastOnce)
        #expect(!alerts[0].retain)
        #expect(alerts[0].outboxRow != nil)
        let alert = JSONValue.read(alerts[0].payload)
        #expect(UUIDv7(alert["id"]?.text ?? "")?.time == world.now)
        #expect(alert["kind"]?.text == "sos")
        #expect(alert["group"]?.text == world.names["family"].text)
        #expect(alert["user"]?.text == "alice")
        #expect(alert["name"]?.text == "Alice")
        #expect(alert["at"]?.text == "2026-05-01T10:00:00.000Z")
        #expect(alert["fix"]?.fixMeters == 7)
        #expect(alert["text"]?.text == "Alice has sent an SOS and needs help!")
        #expect(alert["acknowledgedBy"] == .array([]))
        #expect(alert["repetition"] == nil)
        #expect(try world.count("alerts") == 1)
    }

    @Test func `An SOS without a group is refused, but its position is stored`() throws {
        let world = try World()
        try world.addUsers("alice")
        let fix = "{\"fix\":\(TestFix(7).json(at: world.now))}"
        #expect(try world.outcome("alice", "sos.trigger", fix) == "not-a-member")
        #expect(try world.count("fixes") == 1)
        #expect(try world.count("paths") == 0)
        try world.restart()
        #expect(try world.outcome("alice", "sos.trigger", fix) == "not-a-member")
        #expect(try world.count("fixes") == 1)
    }

    @Test func `The journey's alerts reach the groups that follow it, each once`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world, showing: .alerts,
            """
            10:00:00 alice at 0 m & alice travels to 1000 m by 10:10:00 with family
                family alert: alice journey-started at 0 m
            10:00:00 alice comes online
            10:00:10 to 10:06:00 every 10 s alice at 0 m
                family alert: alice stuck at 0 m
            10:06:50 alice at 100 m
            10:07:00 alice at 100 m
                family alert: alice moving at 100 m
            10:12:00 alice goes offline
                10:10:00.001 family alert: alice late at 100 m
                family alert: alice silent at 100 m
            10:14:00
                10:13:00 family alert: alice offline at 100 m
            10:15:00 alice at 500 m
                family alert: alice online at 500 m
            10:15:10 alice asks journey.start {"extend":true,"eta":"2026-05-01T10:16:00Z"}
            10:16:05 alice comes online
                10:16:00.001 family alert: alice late at 500 m
            10:16:10 alice at 980 m
            10:16:20 alice at 990 m
                family alert: alice journey-arrived at 990 m
            """)
    }

    @Test func `An SOS is repeated in each group until the only other member has seen it`() throws {
        let world = try World.withNeighbours()
        try Script.check(
            in: world, showing: [.alerts, .replies],
            """
            10:00:00 alice triggers SOS
                family alert: alice sos
                work alert: alice sos
                alice/phone reply: ok
            10:01:30 carol acknowledges
                10:01:00 family alert: alice offline
                10:01:00 work alert: alice offline
                10:01:00 family alert: alice sos, repetition 1
                10:01:00 work alert: alice sos, repetition 1
                work alert: alice sos, seen by carol
                carol/phone reply: ok
            10:02:30 carol acknowledges
                10:02:00 family alert: alice sos, repetition 2
                carol/phone reply: unknown-alert
            10:02:40 bob acknowledges
                family alert: alice sos, seen by bob
                bob/phone reply: ok
            10:10:00
            """)
    }

    @Test func `An SOS is repeated at most ten times`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice triggers SOS")
        try world.pass(.seconds(86_400))
        let alerts = world.published().filter { $0.topic.hasSuffix("/alerts") }
            .map { JSONValue.read($0.payload) }.filter { $0["kind"]?.text == "sos" }
        #expect(alerts.compactMap { $0["repetition"]?.integer } == Array(1...10))
        #expect(Set(alerts.map { $0["id"] }).count == 1)
        #expect(try world.count("alerts", where: "document LIKE '%\"sos\"%'") == 1)
    }

    @Test func `An acknowledgement is published to its group and stops repetition there`() throws {
        let world = try World.withNeighbours()
        try world.ask("alice", "sos.trigger")
        let alerts = world.published().filter { $0.topic.hasSuffix("/alerts") }
            .map { JSONValue.read($0.payload) }
        let family = try #require(
            alerts.first { $0["group"]?.text == world.names["family"].text }?["id"]?.text)
        world.sleep(.seconds(5))
        let reply = try world.ask(
            "bob", "alert.acknowledge", #"{"alert":"\#(family.uppercased())"}"#)
        let told = world.published().filter { $0.topic.hasSuffix("/alerts") }
        #expect(told.map { JSONValue.read($0.payload) } == [reply["result"]?["alert"]])
        #expect(reply["result"]?["alert"]?["acknowledgedBy"] == .array([.string("bob")]))
        try Script.check(
            in: world, showing: .alerts,
            """
            10:02:10
                10:01:00 family alert: alice offline
                10:01:00 work alert: alice offline
                10:01:00 work alert: alice sos, repetition 1
                10:02:00 work alert: alice sos, repetition 2
            """)
        try world.restart()
        try Script.check(
            in: world, showing: .alerts,
            """
            10:03:10
                10:03:00 work alert: alice sos, repetition 3
            """)
    }

    @Test func `The caller's own acknowledgement does not count`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "sos.trigger")
        let alert = world.names.lastAlert
        _ = world.published()
        world.sleep(.seconds(10))
        let reply = try world.ask("alice", "alert.acknowledge", #"{"alert":"\#(alert)"}"#)
        #expect(reply["result"]?["alert"]?["acknowledgedBy"] == .array([]))
        #expect(!world.published().contains { $0.topic.hasSuffix("/alerts") })
        #expect(try world.count("acknowledgements") == 0)
        try Script.check(
            in: world, showing: .alerts,
            """
            10:01:10
                10:01:00 family alert: alice sos, repetition 1
            """)
    }

    @Test func `An SOS states the age of its position, or that none is known`() throws {
        let world = try World.withNeighbours()
        try world.fix("alice", TestFix(7))
        world.sleep(.seconds(3 * 3600))
        _ = world.published()
        let expected: [(String, String, Int?)] = [
            ("alice", "The last position is 3 h old.", 10_800),
            ("bob", "No position is known.", nil),
        ]
        for (sender, text, age) in expected {
            try world.ask(Sender(sender), "sos.trigger")
            let told = world.published().last { $0.topic.hasSuffix("/alerts") }
            let alert = JSONValue.read(told?.payload ?? [])
            #expect(alert["text"]?.text?.hasSuffix(text) == true)
            #expect(alert["fixAge"]?.integer == age.map { Int64($0) })
            #expect((alert["fix"] == nil) == (age == nil))
        }
    }

    @Test func `A call's position without a timestamp counts as current`() throws {
        let world = try World.withFamily()
        let reply = try world.ask("alice", "sos.trigger", "{\"fix\":{\(Meridian.json(7))}}")
        #expect(reply["result"]?["fixRefused"] == nil)
        let told = world.published().last { $0.topic.hasSuffix("/alerts") }
        let fix = JSONValue.read(told?.payload ?? [])["fix"]
        #expect(fix?.fixMeters == 7)
        #expect(fix?["timestamp"]?.text == world.now.rfc3339)
    }

    @Test func `A repeated acknowledgement changes nothing; another member's adds a name`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        try world.operate(.addMember(world.names["family"], "carol"))
        try world.ask("alice", "sos.trigger")
        let alert = try #require(
            world.published().last { $0.topic.hasSuffix("/alerts") }.map {
                JSONValue.read($0.payload)["id"]?.text ?? ""
            })
        var seen: [String] = []
        for (sender, alerts) in [("carol", 1), ("carol", 0), ("bob", 1), ("bob", 0), ("carol", 0)] {
            world.sleep(.seconds(1))
            let reply = try world.ask(
                Sender(sender), "alert.acknowledge", #"{"alert":"\#(alert)"}"#)
            seen.append(
                (reply["result"]?["alert"]?["acknowledgedBy"]?.elements ?? [])
                    .compactMap(\.text).joined(separator: " "))
            #expect(world.published().filter { $0.topic.hasSuffix("/alerts") }.count == alerts)
        }
        #expect(seen == ["carol", "carol", "carol bob", "carol bob", "carol bob"])
        #expect(try world.count("acknowledgements") == 2)
    }

    @Test func `An alert of another group cannot be acknowledged`() throws {
        let world = try World.withNeighbours()
        try Script.play(in: world, "10:00:00 bob travels to 1000 m by 11:00:00 with choir")
        let rows = try #require(
            try world.ask("carol", "alert.list", #"{"group":"$choir"}"#)["result"]?["alerts"])
        let alert = try #require(rows.elements.first?["id"]?.text)
        let payload = #"{"alert":"\#(alert)"}"#
        #expect(try world.outcome("alice", "alert.acknowledge", payload) == "unknown-alert")
        #expect(try world.count("acknowledgements") == 0)
        #expect(try world.outcome("carol", "alert.acknowledge", payload) == "ok")
        #expect(try world.outcome("carol", "group.leave", #"{"group":"$choir"}"#) == "ok")
        #expect(try world.outcome("carol", "alert.acknowledge", payload) == "unknown-alert")
    }
}

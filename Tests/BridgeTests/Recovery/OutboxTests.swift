import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Alerts, notices and replies stay in the store until the broker has them.
struct OutboxTests {
    private func topics(_ publications: [Publication]) -> [String] {
        publications.filter { $0.outboxRow != nil }.map {
            String($0.topic.split(separator: "/").last ?? "")
        }
    }

    @Test func `Unconfirmed messages are published again in order until confirmed`() throws {
        let world = try World.withFamily()
        world.confirms = false
        try world.ask("alice", "sos.trigger")
        try world.addUsers("carol")
        try world.letAdd("alice", "carol")
        try world.ask("alice", "group.add", #"{"group":"$family","user":"carol"}"#)
        let expected = ["alerts", "replies", "chat", "notices", "notices", "replies"]
        let first = world.published().filter { $0.outboxRow != nil }
        #expect(topics(first) == expected)
        for _ in 1...2 {
            try world.restart()
            let again = world.published().filter { $0.outboxRow != nil }
            #expect(again.map(\.topic) == first.map(\.topic))
            #expect(again.map(\.payload) == first.map(\.payload))
            #expect(again.map(\.outboxRow) == first.map(\.outboxRow))
            #expect(again.allSatisfy { $0.qos == .atLeastOnce && !$0.retain })
        }
        world.confirms = true
        try world.reconnect()
        #expect(topics(world.published()) == expected)
        try world.turn()
        #expect(try world.count("outbox") == 0)
        try world.restart()
        #expect(topics(world.published()) == [])
    }

    @Test func `Outbox rows are deleted one by one as they are confirmed`() throws {
        let world = try World.withFamily()
        world.confirms = false
        try world.send(
            world.requestMessage("alice", "journey.stop"),
            world.requestMessage("bob", "journey.stop"))
        let rows = world.published().compactMap(\.outboxRow)
        _ = try world.engine.turn(
            [], at: world.now, listeningSince: world.now, [], confirmed: [rows[0]])
        #expect(try world.engine.outgoing().map(\.outboxRow) == [rows[1]])
    }

    @Test func `A confirmation counts only when its turn is committed`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.send(world.requestMessage("alice", "journey.stop"))
        faults.failNextCommit = true
        #expect(throws: StoreError.self) { try world.turn() }
        #expect(try world.engine.outgoing().count == 1)
        try world.turn()
        #expect(try world.engine.outgoing().isEmpty)
    }

    @Test func `Correlation data survives a restart`() throws {
        let world = try World.withFamily()
        world.confirms = false
        try world.send(
            world.requestMessage(
                "alice", "journey.stop",
                responseTopic: "kith/users/alice/devices/phone/replies/7", correlation: [0, 1, 255])
        )
        try world.restart()
        let reply = try #require(world.published().last { $0.outboxRow != nil })
        #expect(reply.correlationData == [0, 1, 255])
        #expect(reply.topic == "kith/users/alice/devices/phone/replies/7")
    }

    /// Timers fire while there is no connection; no one receives their messages.
    @Test func `Messages of a turn without a connection are sent at the next connection`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world,
            """
            10:00:00 alice at 5 m
            10:00:00 alice travels to 9000 m by 10:10:00 with family
            10:00:01 alice at 6 m
            """)
        _ = world.published()
        world.sleep(.seconds(700))
        _ = try world.engine.turn(
            [], at: world.now, listeningSince: world.now + .seconds(86_400), [.timers])
        try world.reconnect()
        let told = world.published()
        #expect(topics(told) == ["alerts"])
        #expect(world.state(of: "alice")["warnings"] == .array([.string("late")]))
    }
}

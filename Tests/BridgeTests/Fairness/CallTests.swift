import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A call for help waits for nothing, and no earlier request ends it.
struct CallTests {
    /// Alice's budget is overdrawn as far as possible.
    private func overdrawn() throws -> World {
        let world = try FairnessTests.world()
        try world.turn(
            (0..<60).map {
                world.requestMessage("alice", "members.get", #"{"id":\#($0),"group":"$family"}"#)
            })
        #expect(world.engine.heldBack > 20)
        _ = world.published()
        return world
    }

    private func alerts(_ publications: [Publication]) -> [String] {
        publications.filter { $0.topic.hasSuffix("/alerts") }.map {
            JSONValue.read($0.payload)["kind"]?.text ?? "?"
        }
    }

    private func request(_ world: World, _ method: String, _ id: Int) -> Message {
        world.requestMessage("alice", method, #"{"id":\#(id)}"#)
    }

    private func reply(_ id: Int, in publications: [Publication]) -> String? {
        publications.filter { $0.topic.contains("/replies") }.map { JSONValue.read($0.payload) }
            .first { $0["id"]?.integer == Int64(id) }?.outcome
    }

    /// Runs turns until nothing is waiting.
    private func drain(_ world: World) throws -> [Publication] {
        var all: [Publication] = []
        while world.engine.heldBack > 0 {
            world.sleep(.milliseconds(500))
            all += try world.turn()
        }
        return all
    }

    private func isInSOS(_ world: World) -> Bool {
        world.state(of: "alice")["state"]?.text == "sos"
    }

    @Test func `An overdrawn user's SOS is sent immediately`() throws {
        let world = try overdrawn()
        let sent = try world.turn([request(world, "sos.trigger", 1001)])
        #expect(alerts(sent) == ["sos"])
        #expect(reply(1001, in: sent) == "ok")
        #expect(isInSOS(world))
    }

    @Test func `An overdrawn user's SOS from an app is sent immediately`() throws {
        let world = try overdrawn()
        try world.turn([world.ownTracks("alice/app", Phone.location(1, at: world.now))])
        world.sleep(.seconds(2))
        let sent = try world.turn([
            world.ownTracks("alice/app", Phone.location(2, at: world.now, #","poi":"SOS""#))
        ])
        #expect(alerts(sent) == ["sos"])
    }

    @Test func `A waiting end is cancelled by the next call`() throws {
        let world = try overdrawn()
        try world.turn([request(world, "sos.trigger", 1001)])
        var sent = try world.turn([request(world, "sos.stop", 1002)])
        #expect(reply(1002, in: sent) == nil)
        #expect(isInSOS(world))
        sent = try world.turn([request(world, "sos.trigger", 1003)])
        #expect(reply(1002, in: sent) == "already-in-sos")
        #expect(reply(1003, in: sent) == "ok")
        sent = try drain(world)
        #expect(isInSOS(world))
        #expect(!alerts(sent).contains("sos-stopped"))
        // When it is delivered again, the end is recognised.
        sent = try world.turn([request(world, "sos.stop", 1002)])
        sent += try drain(world)
        #expect(reply(1002, in: sent) == "already-in-sos")
        #expect(isInSOS(world))
    }

    @Test func `A call after a waiting end is sent again even if the first was seen`() throws {
        let world = try overdrawn()
        try world.turn([request(world, "sos.trigger", 1001)])
        let first = world.names.lastAlert
        try world.ask("bob", "alert.acknowledge", #"{"alert":"\#(first)"}"#)
        try world.turn([request(world, "sos.stop", 1002)])
        // Nothing happens in the meantime.
        world.sleep(.seconds(10))
        let sent = try world.turn([request(world, "sos.trigger", 1003)])
        #expect(alerts(sent).last == "sos")
        #expect(world.names.lastAlert != first)
        #expect(isInSOS(world))
        _ = try drain(world)
        #expect(isInSOS(world))
    }

    @Test func `Alternating calls and ends are not published each time`() throws {
        let world = try overdrawn()
        var told = 0
        for number in 0..<100 {
            let sent = try world.turn([
                request(world, "sos.trigger", 2 * number + 2000),
                request(world, "sos.stop", 2 * number + 2001),
            ])
            told += alerts(sent).count
        }
        #expect(told <= 2)
        // The last request was an end.
        _ = try drain(world)
        #expect(!isInSOS(world))
    }

    @Test func `In one turn an earlier end does not end a later call`() throws {
        let world = try World.withFamily()
        try world.turn([request(world, "sos.trigger", 1)])
        let sent = try world.turn([
            request(world, "group.list", 2), request(world, "sos.stop", 3),
            request(world, "sos.trigger", 4),
        ])
        #expect(isInSOS(world))
        #expect(alerts(sent) == ["sos-stopped", "sos"])
    }

    @Test func `In one turn a later end ends an earlier call`() throws {
        let world = try World.withFamily()
        let sent = try world.turn([
            request(world, "sos.trigger", 1), request(world, "sos.stop", 2),
        ])
        #expect(!isInSOS(world))
        #expect(alerts(sent) == ["sos", "sos-stopped"])
    }

    @Test func `A repeated call does not cancel an end`() throws {
        let world = try overdrawn()
        let call = request(world, "sos.trigger", 1001)
        try world.turn([call])
        try world.turn([request(world, "sos.stop", 1002)])
        try world.turn([call])
        let sent = try drain(world)
        #expect(reply(1002, in: sent) == "ok")
        #expect(!isInSOS(world))
    }
}

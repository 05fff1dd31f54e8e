import Contract
import JSON
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// Positions of an overdrawn user are shown only now and then; urgent ones are shown at once.
struct PositionTests {
    private func sharing(wrap: (any Driver) -> any Driver = { $0 }) throws -> World {
        let world = try FairnessTests.world(wrap)
        try world.ask("alice", "sharing.start", #"{"groups":"all"}"#)
        world.sleep(.seconds(10))
        _ = world.published()
        return world
    }

    private func shown(_ world: World) -> Int? { world.state(of: "alice")["fix"]?.fixMeters }

    /// Sends positions, one every ten milliseconds.
    private func run(_ world: World, _ meters: ClosedRange<Int>) throws -> Int {
        var count = 0
        for meter in meters {
            world.sleep(.milliseconds(10))
            let sent = try world.turn([world.fixMessage("alice", TestFix(meter))])
            count += sent.count { $0.topic.contains("/members/") }
        }
        return count
    }

    @Test func `Of very many positions few are shown, and the last one at last`() throws {
        let world = try sharing()
        let count = try run(world, 1...500)
        #expect((5...60).contains(count))
        #expect(try world.count("fixes") == 500)
        try world.pass(.seconds(3))
        #expect(shown(world) == 500)
        #expect(world.engine.heldBack == 0)
        #expect(world.engine.nextRelease(at: world.now) == nil)
    }

    @Test func `A position held back, a turn that fails and is taken again, is shown`() throws {
        let faults = Faults()
        let world = try sharing(wrap: { FaultyDriver($0, faults) })
        _ = try run(world, 1...400)
        #expect(world.engine.heldBack > 0)
        #expect(shown(world) != 400)
        faults.forbiddenText = "Choir"
        let replies = try world.operate(
            .createGroup(try DisplayName("Choir"), firstMember: "bob"))
        #expect(replies.map(\.outcome) == ["malformed"])
        try world.pass(.seconds(3))
        #expect(shown(world) == 400)
        #expect(world.engine.heldBack == 0)
    }

    @Test func `An SOS shows what was held back`() throws {
        let world = try sharing()
        _ = try run(world, 1...400)
        world.sleep(.milliseconds(10))
        try world.turn([world.fixMessage("alice", TestFix(401))])
        try world.turn([world.requestMessage("alice", "sos.trigger", #"{"id":1}"#)])
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        #expect(shown(world) == 401)
    }

    @Test func `The path is whole when it ends, whatever of it was held back`() throws {
        let world = try sharing()
        try world.turn([world.requestMessage("alice", "sos.trigger", #"{"id":1}"#)])
        _ = try run(world, 1...300)
        try world.turn([world.requestMessage("alice", "sos.stop", #"{"id":2}"#)])
        try world.pass(.seconds(5))
        let points = world.segments(of: "alice").flatMap(\.segmentMeters)
        #expect(points == Array(1...300))
    }

    @Test func `Whoever leaves while something is held back is not shown any more`() throws {
        let world = try sharing()
        _ = try run(world, 1...400)
        #expect(world.engine.heldBack > 0)
        try world.operate(.removeMember(world.names["family"], "alice"))
        try world.pass(.seconds(5))
        #expect(shown(world) == nil)
        #expect(world.engine.heldBack == 0)
    }

    @Test func `A member who is removed for good leaves nothing behind`() throws {
        let world = try sharing()
        _ = try run(world, 1...400)
        try world.turn(
            (0..<50).map {
                world.requestMessage("alice", "members.get", #"{"id":\#($0),"group":"$family"}"#)
            })
        #expect(try world.count("waiting_requests") > 0)
        try world.operate(.removeUser("alice"))
        #expect(try world.count("waiting_requests") == 0)
        #expect(world.engine.heldBack == 0)
    }
}

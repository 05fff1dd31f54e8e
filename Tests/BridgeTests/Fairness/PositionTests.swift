import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Positions of an overdrawn user are shown only now and then, urgent ones immediately.
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

    @Test func `Few of very many positions are shown, finally the last one`() throws {
        let world = try sharing()
        let count = try run(world, 1...500)
        #expect((5...60).contains(count))
        #expect(try world.count("fixes") == 500)
        try world.pass(.seconds(3))
        #expect(shown(world) == 500)
        #expect(world.engine.heldBack == 0)
        #expect(world.engine.nextRelease(at: world.now) == nil)
    }

    @Test func `A held-back position is shown although a turn fails and is repeated`() throws {
        let faults = Faults()
        let world = try sharing(wrap: { FailingDriver($0, faults) })
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

    @Test func `An SOS shows the position that was held back`() throws {
        let world = try sharing()
        _ = try run(world, 1...400)
        world.sleep(.milliseconds(10))
        try world.turn([world.fixMessage("alice", TestFix(401))])
        try world.turn([world.requestMessage("alice", "sos.trigger", #"{"id":1}"#)])
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        #expect(shown(world) == 401)
    }

    @Test func `A path is complete at its end, although positions were held back`() throws {
        let world = try sharing()
        try world.turn([world.requestMessage("alice", "sos.trigger", #"{"id":1}"#)])
        _ = try run(world, 1...300)
        try world.turn([world.requestMessage("alice", "sos.stop", #"{"id":2}"#)])
        try world.pass(.seconds(5))
        let points = world.segments(of: "alice").flatMap(\.segmentMeters)
        #expect(points == Array(1...300))
    }

    @Test func `A member who leaves is not shown by a held-back position`() throws {
        let world = try sharing()
        _ = try run(world, 1...400)
        #expect(world.engine.heldBack > 0)
        try world.operate(.removeMember(world.names["family"], "alice"))
        try world.pass(.seconds(5))
        #expect(shown(world) == nil)
        #expect(world.engine.heldBack == 0)
    }

    @Test func `A deleted user leaves no waiting requests and positions`() throws {
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

import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Phones whose clocks are wrong.
struct DeviceClockTests {
    private func fix(_ world: World, _ meters: Int, ahead seconds: Int, seq: Int64? = nil)
        -> Message
    {
        world.fixMessage("alice", TestFix(meters, ago: -Double(seconds), seq: seq))
    }

    private func notices(_ published: [Publication]) -> [JSONValue] {
        published.filter { $0.topic == "kith/users/alice/notices" }.map { .read($0.payload) }
    }

    private func sharing() throws -> World {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all & alice at 1 m")
        world.sleep(.seconds(90))
        _ = world.published()
        return world
    }

    @Test func `A fast clock is corrected, and its owner notified once`() throws {
        let world = try sharing()
        for step in 0..<12 {
            world.sleep(.seconds(1))
            try world.send(fix(world, 100 + step, ahead: 300))
        }
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 111)
        let told = notices(world.published())
        #expect(told.map { $0["kind"]?.text } == ["clock-wrong"])
        #expect(told.first?["ahead"]?.integer == 300)
        #expect(told.first?["device"]?.text == "phone")
    }

    @Test func `Positions refused for their time cause a warning until one is accepted`() throws {
        let world = try sharing()
        try world.send(fix(world, 100, ahead: 300))
        #expect(world.state(of: "alice")["warnings"] == .array([.string("clock")]))
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 1)
        world.sleep(.seconds(1))
        try world.send(fix(world, 101, ahead: 0))
        #expect(world.state(of: "alice")["warnings"] == .array([]))
    }

    @Test func `A group that sees nothing sees no warning`() throws {
        let world = try World.withFamily()
        try world.send(fix(world, 100, ahead: 300))
        #expect(world.state(of: "alice")["warnings"] == .array([]))
    }

    @Test func `A second device's good positions keep the warning away`() throws {
        let world = try sharing()
        world.sleep(.seconds(1))
        try world.send(world.fixMessage("alice/watch", TestFix(2)))
        try world.send(fix(world, 100, ahead: 300))
        #expect(world.state(of: "alice")["warnings"] == .array([]))
    }

    @Test func `A clock that cannot be corrected is reported to its owner once a day`() throws {
        let world = try sharing()
        for step in 0..<40 {
            world.sleep(.seconds(1))
            try world.send(fix(world, 100, ahead: 200 + 100 * step))
        }
        let told = notices(world.published())
        #expect(told.map { $0["kind"]?.text } == ["clock-wrong"])
        #expect(told.first?["ahead"] == nil)
    }

    @Test func `A correction outlives a restart, and a position is stored once`() throws {
        let world = try sharing()
        for step in 0..<5 {
            world.sleep(.seconds(1))
            try world.send(fix(world, 100 + step, ahead: 300))
        }
        let count = try world.count("fixes")
        let again = fix(world, 104, ahead: 300)
        try world.send(again)
        try world.restart()
        try world.send(again)
        #expect(try world.count("fixes") == count)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 104)
    }

    @Test func `Seconds instead of milliseconds are reported and not requested again`() throws {
        let world = try sharing()
        let seconds = world.now.milliseconds / 1000
        try world.send(
            world.fixMessage(
                "alice", #"{\#(Meridian.json(5)),"timestamp":\#(seconds),"seq":0}"#))
        let rejection = try #require(world.published().last { $0.topic.hasSuffix("/rejected") })
        let value = JSONValue.read(rejection.payload)
        #expect(value["problem"]?.problemWords.contains("must be in milliseconds") == true)
        #expect(value["again"] == nil)
        #expect(value["seq"] == .array([.number(0)]))
    }

    @Test func `A call whose position has a wrong time still states the position`() throws {
        let world = try World.withFamily()
        let taken = world.now.milliseconds + 300_000
        try world.send(
            world.requestMessage(
                "alice", "sos.trigger",
                #"{"id":1,"fix":{\#(Meridian.json(7)),"timestamp":\#(taken)}}"#)
        )
        let published = world.published()
        let alert = try #require(published.first { $0.topic.hasSuffix("/alerts") })
        #expect(JSONValue.read(alert.payload)["fix"]?.fixMeters == 7)
        #expect(JSONValue.read(alert.payload)["clockWrong"] == .bool(true))
    }

    @Test func `A position that follows a call in the same read is in the call`() throws {
        let world = try World.withNeighbours()
        let call = world.requestMessage("alice", "sos.trigger", #"{"id":1}"#)
        let others = world.fixMessage("bob", TestFix(99))
        try world.turn([call, others, fix(world, 42, ahead: 0)])
        let alert = try #require(world.published().first { $0.topic.hasSuffix("/alerts") })
        #expect(JSONValue.read(alert.payload)["fix"]?.fixMeters == 42)
    }

    // MARK: While the server's clock is behind

    @Test func `A position ahead of a server that is behind is shown without a warning`() throws {
        let world = try sharing()
        let first = fix(world, 100, ahead: 3_456_000)
        try world.turn([first], .clockBehind)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 100)
        #expect(world.state(of: "alice")["warnings"] == .array([]))
        world.sleep(.seconds(2))
        // It is sent again, and then the next.
        try world.turn([first], .clockBehind)
        try world.turn([fix(world, 102, ahead: 3_456_000)], .clockBehind)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 102)
        #expect(try world.count("fixes") == 3)
        #expect(notices(world.published()).isEmpty)
    }

    @Test func `A track ahead of a server that is behind keeps its order and distances`() throws {
        let world = try sharing()
        let start = world.now.milliseconds + 3_456_000_000
        let track = (0..<3).map { step in
            #"{\#(Meridian.json(100 + step)),"timestamp":\#(start + Int64(step) * 1_000)}"#
        }
        try world.turn(
            [world.fixMessage("alice", "[\(track.joined(separator: ","))]")], .clockBehind)
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 102)
        #expect(try world.count("fixes") == 4)
    }

    @Test func `A phone's first position counts as right once the server's clock is set`() throws {
        let world = try sharing()
        try world.turn([fix(world, 100, ahead: 3_456_000)], .clockBehind)
        try world.restart()
        world.sleep(.seconds(3_456_002))
        try world.send(fix(world, 103, ahead: 0))
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 103)
        #expect(world.state(of: "alice")["fix"]?["timestamp"]?.text == world.now.rfc3339)
    }

    @Test func `A phone corrected before counts as right once the server's clock is set`() throws {
        let world = try sharing()
        for step in 0..<3 {
            world.sleep(.seconds(1))
            try world.send(fix(world, 100 + step, ahead: 3_456_000))
        }
        world.sleep(.seconds(1))
        try world.turn([fix(world, 104, ahead: 3_456_000)], .clockBehind)
        world.sleep(.seconds(3_456_000))
        try world.send(fix(world, 105, ahead: 0))
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 105)
    }
}

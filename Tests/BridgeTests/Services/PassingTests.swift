import Contract
import JSON
import Limits
import MQTT
import Testing
import Tracking

@testable import Bridge

/// Samples for services are sent at the end of a turn, in one message each, and no faster than the
/// person's budget allows.
struct PassingTests {
    private func world(_ settings: BridgeSettings = BridgeSettings()) throws -> World {
        let world = try World.withFamily(settings)
        try world.makeService()
        #expect(
            try world.outcome("alice", "service.add", #"{"service":"myheart","stream":true}"#)
                == "ok")
        #expect(try world.outcome("alice", "vitals.consent") == "ok")
        _ = try world.askAsService("data.subscribe", #"{"user":"alice"}"#)
        world.sleep(.seconds(60))
        _ = world.published()
        return world
    }

    private func metres(_ payload: JSONValue) -> [Int?] {
        (payload.elements.isEmpty ? [payload] : payload.elements).map(\.fixMeters)
    }

    @Test func `Fixes of one turn are sent as one array, the oldest first`() throws {
        let world = try world()
        try world.send(
            world.fixMessage("alice", TestFix(1, ago: 3)),
            world.fixMessage("alice", TestFix(2, ago: 2)),
            world.fixMessage("alice", TestFix(3, ago: 1)))
        let samples = world.sampleMessages()
        #expect(samples.count == 1)
        #expect(metres(samples[0].sample) == [1, 2, 3])
        #expect(samples[0].sample.elements[0]["thinned"] == nil)
    }

    @Test func `A call for help is sent first, samples for services in the turn after it`() throws {
        let world = try world()
        world.goesOn = false
        let sent = try world.turn([
            world.fixMessage("alice", TestFix(1)), world.requestMessage("bob", "sos.trigger", "{}"),
        ])
        #expect(sent.contains { $0.topic.hasSuffix("/alerts") })
        #expect(world.sampleMessages().isEmpty)
        #expect(world.engine.nextRelease(at: world.now) == world.now)
        try world.turn()
        #expect(world.sampleMessages().count == 1)
        #expect(world.engine.nextRelease(at: world.now) == nil)
    }

    @Test func `Samples over the budget are thinned and marked, but can still be read`() throws {
        var settings = BridgeSettings()
        settings.fairness.allowance = Allowance(burst: 200, perSecond: 50)
        let world = try world(settings)
        world.goesOn = false
        var last: Int?
        for part in 0..<10 {
            world.sleep(.milliseconds(20))
            try world.turn(
                (0..<100).map { number in
                    last = part * 100 + number
                    return world.fixMessage(
                        "alice",
                        TestFix(
                            part * 100 + number, ago: 100 - Double(part * 10) - Double(number) / 10)
                    )
                })
        }
        let late = world.sampleMessages()
        #expect((1...5).contains(late.count))
        try world.pass(.seconds(5))
        let rest = world.sampleMessages()
        let all = (late + rest).map(\.sample)
        let shown = all.flatMap { metres($0) }
        let thinned = all.compactMap { ($0.elements.first ?? $0)["thinned"]?.integer }.reduce(0, +)
        #expect(thinned > 0)
        #expect(shown.count + Int(thinned) == 1_000)
        #expect(shown.last == last, "the newest is not left out")
        #expect(shown.compactMap(\.self) == shown.compactMap(\.self).sorted())
        let read = try world.askAsService("data.get", #"{"user":"alice","last":500}"#)
        #expect((read["result"]?["samples"]?.elements.count ?? 0) > 100)
    }

    @Test func `Samples waiting for a removed service are not sent`() throws {
        let world = try world()
        world.goesOn = false
        try world.turn([
            world.fixMessage("alice", TestFix(1)), world.requestMessage("bob", "sos.trigger", "{}"),
        ])
        #expect(try world.outcome("alice", "service.remove", #"{"service":"myheart"}"#) == "ok")
        try world.turn()
        #expect(world.sampleMessages().isEmpty)
        #expect(world.engine.nextRelease(at: world.now) == nil)
    }

    @Test func `Samples beyond a message's size are thinned, and the newest is kept`() {
        var passing = PassingSamples()
        for number in 0..<500 {
            passing.append(
                Array("{\"n\":\(number)}".utf8), number % 2 == 0 ? .positions : .vitals,
                takenAt: Timestamp(milliseconds: Int64(number)))
        }
        let part = passing.take(fitting: 100, isLate: false)
        #expect(!passing.isEmpty)
        let payload = part.payload(of: .all).map { JSONValue.read($0) }
        #expect(payload?.elements.count == part.count(of: .all))
        #expect((part.payload(of: .all)?.count ?? 0) <= 130)
        #expect((payload?.elements.first?["thinned"]?.integer ?? 0) > 0)
        let rest = passing.take(fitting: 100, isLate: true)
        #expect(passing.isEmpty)
        #expect(
            rest.payload(of: .all).map { JSONValue.read($0) }?.elements.last?["n"]?.integer == 499)
        #expect(PassingSamples().isEmpty)
    }
}

import Contract
import JSON
import Logging
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

struct EarlyAlertTests {
    private func call(_ world: World, _ user: Sender = "alice", _ request: String = "{}") -> Message
    {
        var message = world.requestMessage(user, "sos.trigger", request)
        message.lastUserProperty = (CallArrival.property, CallArrival.text(world.now))
        return message
    }

    private struct Told: Hashable {
        var topic: String
        var id, at, fix, name, place: JSONValue?

        init(_ publication: Publication) {
            topic = publication.topic
            let alert = JSONValue.read(publication.payload)
            (id, at, fix) = (alert["id"], alert["at"], alert["fix"])
            (name, place) = (alert["name"], alert["place"])
        }
    }

    private func told(_ publications: [Publication]) -> [Told] {
        publications.filter { $0.topic.hasSuffix("/alerts") }.map(Told.init)
    }

    @Test(arguments: [nil, 0, 40], [0, 1, 20.0])
    func `An early alert is the one that is stored later`(_ fixAgo: Double?, _ outage: Double)
        throws
    {
        let world = try World.withNeighbours()
        try world.fix("alice", TestFix(7))
        let fix = fixAgo.map { TestFix(70, ago: $0).json(at: world.now) }
        let message = call(world, "alice", fix.map { "{\"fix\":\($0)}" } ?? "{}")
        let early = world.engine.earlyAlerts(of: message, at: world.now + .milliseconds(300))
        #expect(early.count == 2)
        #expect(early.allSatisfy { $0.qos == .atLeastOnce && !$0.retain })
        _ = world.published()
        world.sleep(.seconds(outage))
        let stored = try world.turn([message])
        #expect(Set(told(stored)) == Set(told(early)))
        #expect(try world.count("alerts") == 2)
    }

    @Test(arguments: [false, true])
    func `A call in the turn that fails is reported as if the turn had not begun`(
        _ isCommitted: Bool
    ) throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        let message = call(world)
        faults.failNextCommit = !isCommitted
        faults.denyNextCommit = isCommitted
        #expect(throws: StoreError.self) { try world.engine.take([message], at: world.now) }
        let early = told(world.engine.earlyAlerts(of: message, at: world.now))
        #expect(early.count == 1)
        // The broker delivers it again.
        world.sleep(.seconds(5))
        let again = told(try world.turn([message]))
        #expect(again == (isCommitted ? [] : early))
        let stored = try world.store.transaction { try $0.outgoing().map(\.payload) }
        let ids = stored.map { JSONValue.read($0) }.filter { $0["kind"] != nil }.map { $0["id"] }
        #expect(ids == early.map(\.id))
    }

    @Test func `An early alert exists only for what is stored as a new call`() throws {
        let world = try World.withFamily()
        var unstamped = call(world)
        unstamped.lastUserProperty = nil
        #expect(world.engine.earlyAlerts(of: unstamped, at: world.now).isEmpty)
        var late = call(world)
        late.lastUserProperty = (
            CallArrival.property, CallArrival.text(world.now - .seconds(3_601))
        )
        #expect(world.engine.earlyAlerts(of: late, at: world.now).isEmpty)
        #expect(world.engine.earlyAlerts(of: call(world, "nobody"), at: world.now).isEmpty)
        #expect(world.engine.earlyAlerts(of: call(world, "alice", "["), at: world.now).isEmpty)
        try world.addUsers("dora")
        #expect(world.engine.earlyAlerts(of: call(world, "dora"), at: world.now).isEmpty)
        let message = call(world)
        #expect(world.engine.earlyAlerts(of: message, at: world.now).count == 1)
        try world.turn([message])
        #expect(world.engine.earlyAlerts(of: message, at: world.now).isEmpty)
    }

    @Test func `A call that arrived before the end of the last SOS is a new one`() throws {
        let world = try World.withFamily()
        let (first, second) = (call(world), call(world))
        world.sleep(.seconds(3))
        let stop = world.requestMessage("alice", "sos.stop", "{}")
        let ids = told(try world.turn([first, stop, second])).map(\.id)
        #expect(ids.count == 3)
        #expect(Set(ids).count == 3)
        #expect(try world.count("alerts") == 3)
    }

    /// Calls arrive and alerts are published here.
    private final class Line: CallConnection {
        var arriving: [Message] = []
        private(set) var published: [Publication] = []
        private(set) var asked = 0
        var isBroken = false

        func take() throws(MQTTError) -> [Message] {
            asked += 1
            if isBroken { throw .silence }
            defer { arriving = [] }
            return arriving
        }

        func publish(_ publications: [Publication]) throws(MQTTError) {
            if isBroken { throw .silence }
            published += publications
        }
    }

    private func announce(_ calls: EarlyCalls, _ world: World) {
        calls.announce(at: .seconds(2)) { world.engine.earlyAlerts(of: $0, at: world.now) }
    }

    @Test func `Each unhandled call is reported once, whichever copy arrives first`() throws {
        let world = try World.withNeighbours()
        let line = Line()
        let calls = EarlyCalls(Logger(label: "test"))
        calls.begin(line)
        let alice = call(world)
        // Handled before its copy arrives.
        calls.note(handled: [alice], at: .seconds(1))
        line.arriving = [alice]
        announce(calls, world)
        #expect(line.published.isEmpty)
        let bob = call(world, "bob")
        line.arriving = [bob]
        calls.receive(at: .seconds(3))
        #expect(line.published.isEmpty)
        announce(calls, world)
        announce(calls, world)
        let groups = ["family", "choir"].map { world.topics.string(.alerts(world.names[$0])) }
        #expect(Set(line.published.map(\.topic)) == Set(groups))
        #expect(line.published.count == 2)
        // Redelivered and handled: nothing is left.
        calls.note(handled: [bob], at: .seconds(6))
        announce(calls, world)
        #expect(line.published.count == 2)
        #expect(!calls.isLost())
    }

    @Test func `A caller who calls again is reported once until the call is stored`() throws {
        let world = try World.withFamily()
        let line = Line()
        let calls = EarlyCalls(Logger(label: "test"))
        calls.begin(line)
        var sent: [Message] = []
        for _ in 1...3 {
            sent.append(call(world))
            line.arriving = [try #require(sent.last)]
            announce(calls, world)
            world.sleep(.seconds(2))
        }
        #expect(line.published.count == 1)
        // The first is the one that is stored.
        let stored = told(try world.turn(sent))
        #expect(stored == told(line.published))
    }

    @Test func `A call waits for nothing if the broker's clock is ahead`() throws {
        let world = try World.withFamily()
        var message = call(world)
        message.lastUserProperty = (
            CallArrival.property, CallArrival.text(world.now + .seconds(40))
        )
        let early = told(world.engine.earlyAlerts(of: message, at: world.now))
        #expect(early.count == 1)
        world.sleep(.seconds(3))
        let stored = told(try world.turn([message]))
        #expect(stored.map(\.id) == early.map(\.id))
        // A helper who withdraws is found by the alerts since the call began.
        #expect(world.engine.memory.account("alice")?.tracker.emergency?.startedAt == world.now)
    }

    @Test func `A call after an end that fails is not reported as a new one`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.turn([call(world)])
        world.sleep(.seconds(5))
        faults.failNextCommit = true
        let stop = world.requestMessage("alice", "sos.stop", "{}")
        #expect(throws: StoreError.self) { try world.engine.take([stop], at: world.now) }
        #expect(world.engine.earlyAlerts(of: call(world), at: world.now).isEmpty)
    }

    @Test func `A call that is delivered again is reported although it has no copy`() throws {
        let world = try World.withFamily()
        let line = Line()
        let calls = EarlyCalls(Logger(label: "test"))
        let message = call(world)
        for round in 1...3 {
            calls.begin(line)
            calls.note(taken: [message], at: .seconds(round))
            announce(calls, world)
        }
        #expect(line.published.count == 1)
        calls.note(handled: [message], at: .seconds(5))
        announce(calls, world)
        #expect(line.published.count == 1)
    }

    @Test func `A broker that could not receive an alert gets it later`() throws {
        let world = try World.withFamily()
        let lines = [Line(), Line()]
        let calls = EarlyCalls(Logger(label: "test"))
        for (number, line) in lines.enumerated() { calls.begin(line, at: number) }
        lines[0].arriving = [call(world)]
        func announce(to brokers: Set<Int>) {
            calls.announce(at: .seconds(2), to: brokers.contains) {
                world.engine.earlyAlerts(of: $0, at: world.now)
            }
        }
        announce(to: [])
        #expect(lines.map(\.published.count) == [0, 0])
        announce(to: [0])
        #expect(lines.map(\.published.count) == [1, 0])
        announce(to: [0, 1])
        announce(to: [0, 1])
        #expect(lines.map(\.published.count) == [1, 1])
        #expect(told(lines[0].published) == told(lines[1].published))
    }

    @Test func `A lost connection is not used again`() throws {
        let line = Line()
        line.isBroken = true
        let calls = EarlyCalls(Logger(label: "test"))
        calls.begin(line)
        calls.receive(at: .zero)
        calls.receive(at: .seconds(1))
        #expect(calls.isLost())
        #expect(line.asked == 1)
    }
}

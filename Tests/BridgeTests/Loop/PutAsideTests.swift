import Clocks
import Contract
import JSON
import Logging
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// A message that the broker rejects does not hold up others.
struct PutAsideTests {
    private let world: World
    private let turnLoop: TurnLoop

    init() throws {
        world = try World.withFamily()
        try world.turn()  // Nothing is left in the outbox.
        turnLoop = PutAsideTests.turnLoop(world)
    }

    private static func turnLoop(_ world: World) -> TurnLoop {
        TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private let poison = "poison"

    /// Puts messages into the outbox, in this order.
    private func put(_ topics: String...) throws {
        try world.store.transaction { transaction in
            for topic in topics {
                _ = try transaction.insertOutgoing(topic: topic, payload: [], correlationData: nil)
            }
        }
    }

    private var moment: ClockReading { ClockReading(wall: world.now, steady: .seconds(100)) }

    /// Runs one connection until it ends or nothing is left to do.
    ///
    /// - Returns: the outbox messages that were sent, and whether the broker ended the connection.
    private func connection(
        by turnLoop: TurnLoop? = nil, _ answer: @escaping (Publication) -> ScriptedLink.Answer
    ) throws -> (topics: [String], ended: Bool) {
        let turnLoop = turnLoop ?? self.turnLoop
        let link = ScriptedLink()
        link.answer = answer
        var ended = false
        do {
            try turnLoop.begin(link, at: moment)
            for _ in 0..<20 { try turnLoop.round(at: moment) }
        } catch is MQTTError {
            turnLoop.lose(isSuspicious: true)
            ended = true
        }
        return (link.takeSent().filter { $0.outboxRow != nil }.map(\.topic), ended)
    }

    private func answer(_ poison: ScriptedLink.Answer) -> (Publication) -> ScriptedLink.Answer {
        { $0.topic == self.poison ? poison : .confirms }
    }

    private func isPutAside() throws -> Bool {
        try world.engine.outbox().putAside.count == 1
    }

    @Test func `A message that ends every connection is put aside after a few`() throws {
        try put("a", poison, "b", "c")
        // All are in flight when it ends; then each is tried alone, with the poisonous one last.
        #expect(try connection(answer(.ends)) == (["a", poison, "b", "c"], true))
        // The broker has not saved what it confirmed.
        #expect(try connection(answer(.ends)) == (["a", poison], true))
        var connections = 2
        while try connection(answer(.ends)).ended { connections += 1 }
        #expect(connections == 1 + OutboxDelivery.mostBreaks)
        #expect(try isPutAside())
        #expect(try connection(answer(.ends)) == (["a", "b", "c"], false))
    }

    @Test func `Messages in flight beside a poisonous one are delivered the next time`() throws {
        try put(poison, "b", "c")
        #expect(try connection(answer(.ends)).ended)
        #expect(try connection(answer(.ends)).topics.prefix(1) == [poison])
        // After it has been tried alone, it is sent last.
        #expect(try connection(answer(.ends)) == (["b", "c", poison], true))
        #expect(try world.count("outbox") == 3)
        #expect(try !isPutAside())
    }

    @Test func `New messages do not wait for the trials of suspects`() throws {
        try put(poison)
        for _ in 0..<2 { #expect(try connection(answer(.ends)).ended) }
        try put("sos")
        #expect(try connection(answer(.ends)) == (["sos", poison], true))
    }

    @Test func `A message put aside because of a dying broker is eventually delivered`() throws {
        try put("sos")
        for _ in 0..<20 { _ = try connection { $0.outboxRow == nil ? .confirms : .ends } }
        #expect(try isPutAside())
        let link = ScriptedLink()
        try turnLoop.begin(link, at: moment)
        #expect(link.takeSent().allSatisfy { $0.outboxRow == nil })
        for seconds in [100, 400, 800] {
            let later = ClockReading(wall: world.now, steady: .seconds(seconds))
            try turnLoop.round(at: later)
        }
        #expect(link.takeSent().contains { $0.topic == "sos" })
        for seconds in [900, 1000] {
            let later = ClockReading(wall: world.now, steady: .seconds(seconds))
            try turnLoop.round(at: later)
        }
        #expect(try world.count("outbox") == 0)
    }

    @Test(arguments: [ScriptedLink.Answer.cannotSend, .refuses])
    func `A refused message is put aside immediately, and the connection continues`(
        _ no: ScriptedLink.Answer
    ) throws {
        try put("a", poison, "b")
        let first = try connection(answer(no))
        #expect(!first.ended)
        #expect(first.topics.filter { $0 != poison } == ["a", "b"])
        #expect(try isPutAside())
    }

    @Test func `The number of messages put aside is a metric, and they expire after a week`() throws
    {
        try put(poison)
        let link = ScriptedLink()
        link.answer = answer(.refuses)
        try turnLoop.begin(link, at: moment)
        try turnLoop.round(at: moment)
        try turnLoop.round(at: ClockReading(wall: world.now, steady: .seconds(200)))
        let metric = link.takeSent().last { $0.topic.hasSuffix("/outbox-put-aside") }
        #expect(metric?.payload == Array("1".utf8))
        world.sleep(.seconds(8 * 86_400))
        try world.sweep()
        #expect(try world.count("outbox") == 0)
    }

    // MARK: Incoming messages

    @Test func `A message that the database rejects is refused, and the others are handled`() throws
    {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        faults.forbiddenText = "Choir"
        let turnLoop = PutAsideTests.turnLoop(world)
        let link = ScriptedLink()
        try turnLoop.begin(link, at: moment)
        link.incoming = [
            world.requestMessage("alice", "group.create", #"{"id":1,"name":"Club"}"#),
            world.requestMessage("alice", "group.create", #"{"id":2,"name":"Choir"}"#),
            world.requestMessage("bob", "sos.trigger", #"{"id":3}"#),
        ]
        try turnLoop.round(at: moment)
        let told = link.takeSent()
        #expect(told.contains { $0.topic.hasSuffix("/alerts") })
        let refused = try #require(told.first { $0.topic.hasSuffix("phone/rejected") })
        #expect(JSONValue.read(refused.payload)["problem"]?.problemWords == "malformed")
        #expect(try world.count("groups") == 2)
    }
}

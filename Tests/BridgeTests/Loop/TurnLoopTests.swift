import Clocks
import Contract
import JSON
import Logging
import MQTT
import Testing
import Tracking

@testable import Bridge

struct TurnLoopTests {
    private let world: World
    private let turnLoop: TurnLoop
    private var steady = Duration.seconds(100)

    init() throws {
        world = try World.withFamily()
        var settings = world.settings
        settings.broker.autosaveInterval = .seconds(1)
        turnLoop = TurnLoop(
            world.engine, settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func round(_ link: ScriptedLink, at steady: Duration) throws {
        let moment = ClockReading(wall: world.now + (steady - .seconds(100)), steady: steady)
        try turnLoop.round(at: moment)
    }

    private func connect(at steady: Duration) throws -> ScriptedLink {
        let link = ScriptedLink()
        let moment = ClockReading(wall: world.now + (steady - .seconds(100)), steady: steady)
        try turnLoop.begin(link, at: moment)
        return link
    }

    /// Calls for help, and returns what is published to the group.
    private func call(_ link: ScriptedLink) throws -> [Publication] {
        link.incoming = [world.requestMessage("alice", "sos.trigger", "{\"id\":1}")]
        try round(link, at: .seconds(100))
        return link.takeSent().filter { $0.topic.hasSuffix("/alerts") }
    }

    @Test func `Messages after an access change wait until the gate must know of it`() throws {
        let link = try connect(at: .seconds(100))
        _ = try call(link)
        try round(link, at: .seconds(101))
        let before = link.pauses.count
        link.incoming = [world.requestMessage("alice", "sos.stop", "{\"id\":2}")]
        try round(link, at: .seconds(102))
        #expect(link.pauses.count == before)
        link.incoming = [world.requestMessage("alice", "group.create", "{\"id\":3,\"name\":\"B\"}")]
        try round(link, at: .seconds(103))
        #expect(link.pauses.count == before + 1)
        #expect(link.pauses.last == AccessPolicy.freshness)
    }

    @Test func `Messages that a killed broker may have lost are sent again`() throws {
        let link = try connect(at: .seconds(100))
        let alerts = try call(link)
        #expect(alerts.count == 1)
        // The broker receives it, and dies before it saves.
        try round(link, at: .seconds(101))
        turnLoop.lose()
        let again = try connect(at: .seconds(102)).takeSent()
        #expect(again.contains { $0.topic == alerts[0].topic && $0.payload == alerts[0].payload })
    }

    /// Alice's ETA passed while the bridge was away. The messages that the broker kept for it
    /// arrive a moment after the connection.
    @Test(arguments: [false, true])
    func `The loop reads the broker's backlog after an ETA before reporting lateness`(
        _ isThere: Bool
    ) throws {
        try world.fix("alice", TestFix(5_000))
        let plan = """
            {"groups":"all","destination":{\(Meridian.json(0))},\
            "eta":"\((world.now + .seconds(600)).rfc3339)"}
            """
        #expect(try world.ask("alice", "journey.start", plan)["problem"] == nil)
        world.sleep(.seconds(1_200))
        try world.reconnect()
        _ = world.published()
        let link = try connect(at: .seconds(100))
        for second in 1...9 { try round(link, at: .seconds(100 + second)) }
        if isThere {
            link.incoming = [620.0, 610].map {
                world.fixMessage("alice", TestFix(0, ago: $0, accuracy: 5))
            }
        }
        for second in 10...14 { try round(link, at: .seconds(100 + second)) }
        let alerts = link.takeSent().filter { $0.topic.hasSuffix("/alerts") }
            .map { JSONValue.read($0.payload)["kind"]?.text }
        #expect(alerts.contains("late") == !isThere)
    }

    @Test func `A loop without a connection at an ETA waits half a minute for one`() throws {
        try world.fix("alice", TestFix(5_000))
        let plan = #"{"groups":"all","eta":"\#((world.now + .seconds(600)).rfc3339)"}"#
        #expect(try world.ask("alice", "journey.start", plan)["problem"] == nil)
        let start = world.now
        func lateAlerts(_ second: Int) throws -> Int64 {
            // The first one reschedules.
            for moment in [Duration.seconds(second), .milliseconds(1_000 * second + 500)] {
                try turnLoop.idle(
                    at: ClockReading(wall: start + moment, steady: .seconds(100) + moment))
            }
            return world.engine.metrics["alerts-late"] ?? 0
        }
        // Each attempt fails.
        turnLoop.lose()
        for second in 595...624 {
            #expect(try lateAlerts(second) == 0, "\(second)")
            turnLoop.lose()
        }
        #expect(try lateAlerts(626) == 1)
    }

    @Test func `Catching up over a flapping connection ends after a minute`() {
        var catchUp = CatchUp(at: .seconds(100))
        for second in stride(from: 105, to: 160, by: 5) {
            catchUp = CatchUp(at: .seconds(second), after: catchUp)
            #expect(!catchUp.isOver(at: .seconds(second)))
        }
        #expect(catchUp.isOver(at: .seconds(160)))
        #expect(!CatchUp(at: .seconds(161), after: catchUp).isOver(at: .seconds(162)))
    }

    /// The bridge stood still for longer than the broker takes to save, and learns of the
    /// confirmation long before it learns that the connection has ended.
    @Test func `An alert confirmed before a stall and a disconnect is sent again`() throws {
        let link = try connect(at: .seconds(100))
        let alerts = try call(link)
        #expect(alerts.count == 1)
        try round(link, at: .seconds(101))
        link.report(.disconnected(.silence))
        #expect(throws: MQTTError.self) { try round(link, at: .seconds(110)) }
        turnLoop.lose()
        let again = try connect(at: .seconds(111)).takeSent()
        #expect(again.contains { $0.topic == alerts[0].topic && $0.payload == alerts[0].payload })
    }

    @Test func `Messages that the broker has saved are not sent again`() throws {
        let link = try connect(at: .seconds(100))
        #expect(try call(link).count == 1)
        for second in 101...106 { try round(link, at: .seconds(second)) }
        #expect(turnLoop.backlog == 0)
        turnLoop.lose()
        #expect(!(try connect(at: .seconds(107)).takeSent().contains { $0.outboxRow != nil }))
        #expect(try world.count("outbox") == 0)
    }
}

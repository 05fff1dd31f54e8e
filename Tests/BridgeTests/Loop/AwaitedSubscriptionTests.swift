import Clocks
import Contract
import JSON
import Logging
import MQTT
import Testing
import Tracking

@testable import Bridge

/// The bridge reports that it is online once all its subscriptions are granted.
struct AwaitedSubscriptionTests {
    private let world: World
    private let turnLoop: TurnLoop
    private let link = ScriptedLink()

    init() throws {
        world = try World.withFamily()
        turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        try turnLoop.begin(link, at: moment(0), awaiting: [id(1), id(2)])
    }

    private func id(_ number: Int32) -> Connection.SubscriptionID { .init(rawValue: number) }

    private func moment(_ second: Int) -> ClockReading {
        ClockReading(wall: world.now + .seconds(second), steady: .seconds(100 + second))
    }

    private func round(at second: Int) throws {
        try turnLoop.round(at: moment(second))
    }

    /// The statuses since the last call.
    private func statuses() -> [String?] {
        link.takeSent().filter { $0.topic == "kith/system/status" }
            .map { JSONValue.read($0.payload)["status"]?.text }
    }

    @Test func `The bridge is online once all its subscriptions are granted, in any order`() throws
    {
        #expect(statuses().isEmpty)
        link.report(.subscribed(id(2), granted: true))
        // The answer to some other subscription.
        link.report(.subscribed(id(3), granted: true))
        try round(at: 1)
        #expect(statuses().isEmpty)
        link.report(.subscribed(id(1), granted: true))
        try round(at: 2)
        #expect(statuses() == ["online"])
        try round(at: 30)
        #expect(statuses().isEmpty)
    }

    @Test func `A refused subscription ends the connection`() throws {
        link.report(.subscribed(id(2), granted: false))
        #expect(throws: MQTTError.refusedSubscription) { try round(at: 1) }
        #expect(statuses().isEmpty)
    }

    @Test func `A refused subscription that is not needed does no harm`() throws {
        link.report(.subscribed(id(3), granted: false))
        link.report(.subscribed(id(1), granted: true))
        link.report(.subscribed(id(2), granted: true))
        try round(at: 1)
        #expect(statuses() == ["online"])
        link.report(.subscribed(id(3), granted: false))
        try round(at: 2)
    }

    @Test func `A subscription unanswered for ten seconds ends the connection`() throws {
        link.report(.subscribed(id(2), granted: true))
        try round(at: 9)
        #expect(throws: MQTTError.silence) { try round(at: 10) }
        #expect(statuses().isEmpty)
    }

    @Test func `Subscriptions of different connections may share an identifier`() {
        let (prompt, vitals, bulk) = (ScriptedLink(), ScriptedLink(), ScriptedLink())
        let lanes = LaneConnections(prompt: prompt, vitals: vitals, bulk: bulk)
        let awaited = lanes.subscriptions(prompt: [id(1)], vitals: [id(1)], bulk: [id(1), id(2)])
        #expect(awaited.count == 4)
        vitals.report(.subscribed(id(1), granted: true))
        bulk.report(.subscribed(id(1), granted: true))
        bulk.report(.subscribed(id(2), granted: true))
        prompt.report(.subscribed(id(1), granted: true))
        let answered = lanes.takeEvents().compactMap { event in
            if case .subscribed(let id, _) = event { id } else { nil }
        }
        #expect(Set(answered) == awaited)
    }
}

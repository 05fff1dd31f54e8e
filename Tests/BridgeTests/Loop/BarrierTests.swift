import Clocks
import Contract
import Logging
import MQTT
import Testing
import Tracking

@testable import Bridge

/// The bridge returns the gate's barriers once what it received before them is on disk.
struct BarrierTests {
    private let faults = Faults()
    private let world: World
    private let turnLoop: TurnLoop
    private let link = ScriptedLink()

    init() throws {
        let faults = faults
        world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        try turnLoop.begin(link, at: moment(0))
        _ = link.takeSent()
    }

    private func moment(_ second: Int) -> ClockReading {
        ClockReading(wall: world.now + .seconds(second), steady: .seconds(100 + second))
    }

    private func barrier(_ lane: TopicRow.Lane, _ payload: String) -> Message {
        Message(
            topic: TopicSpace().barrier(lane), payload: Array(payload.utf8), qos: .atLeastOnce)
    }

    private func count() -> Int {
        do { return try world.count("fixes") } catch { return -1 }
    }

    private func returned() -> [String] {
        link.takeSent().filter { $0.topic.contains("/committed/") }.map {
            "\($0.topic) \(String(decoding: $0.payload, as: UTF8.self)) \($0.qos)"
        }
    }

    @Test func `The newest barrier of each lane is returned after the commit`() throws {
        let stored = try world.count("fixes")
        link.incoming = [
            world.fixMessage("alice", TestFix(7, ago: 2)), barrier(.stream, "7.1"),
            barrier(.requests, "7.5"), world.fixMessage("alice", TestFix(8, ago: 1)),
            barrier(.stream, "7.2"),
        ]
        var storedBefore: Int?
        link.answer = { publication in
            if publication.topic.contains("/committed/"), storedBefore == nil {
                storedBefore = self.count()
            }
            return .confirms
        }
        try turnLoop.round(at: moment(1))
        #expect(
            returned() == [
                "kith/bridge/committed/requests 7.5 atMostOnce",
                "kith/bridge/committed/stream 7.2 atMostOnce",
            ])
        #expect(storedBefore == stored + 2)
        try turnLoop.round(at: moment(2))
        #expect(returned() == [])
    }

    @Test func `A barrier alone is returned, and an empty one only wakes the bridge`() throws {
        link.incoming = [barrier(.vitals, "7.1"), barrier(.requests, "")]
        try turnLoop.round(at: moment(1))
        #expect(returned() == ["kith/bridge/committed/vitals 7.1 atMostOnce"])
        // It does not replace one that is to be returned.
        link.incoming = [barrier(.requests, "7.6"), barrier(.requests, "")]
        try turnLoop.round(at: moment(2))
        #expect(returned() == ["kith/bridge/committed/requests 7.6 atMostOnce"])
    }

    @Test func `Nothing is returned if the commit fails, nor on the next connection`() throws {
        link.incoming = [world.fixMessage("alice", TestFix(7, ago: 2)), barrier(.stream, "7.1")]
        faults.failNextCommit = true
        #expect(throws: (any Error).self) { try turnLoop.round(at: moment(1)) }
        #expect(returned() == [])
        turnLoop.lose()
        try turnLoop.begin(link, at: moment(2))
        try turnLoop.round(at: moment(3))
        #expect(returned() == [])
    }

    @Test func `Nothing is returned while messages are left at the broker`() throws {
        turnLoop.overheard = [world.fixMessage("alice", TestFix(7, ago: 2))]
        turnLoop.sparingSince = world.now
        link.incoming = [barrier(.stream, "7.1")]
        try turnLoop.round(at: moment(1))
        #expect(returned() == [])
    }
}

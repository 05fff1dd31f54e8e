import Clocks
import Contract
import Logging
import MQTT
import Testing
import Tracking

@testable import Bridge

/// A message that crashes the process does so only a few times, not for ever.
struct TurnRecordTests {
    private let database: TemporaryDatabase
    init() throws { database = try TemporaryDatabase() }

    private let bad = Message(topic: "bad", payload: [1])
    private let good = Message(topic: "good", payload: [1])

    private func record() throws -> TurnRecord { try TurnRecord(besides: database.path) }

    /// The process ends before ``TurnRecord/end()``.
    private func end(during message: Message?) throws { try record().begin(message) }

    @Test func `Who ended between two turns is not careful`() throws {
        let first = try record()
        #expect(!first.isCareful)
        first.begin(nil)
        first.end()
        #expect(try !record().isCareful)
    }

    @Test func `Who ended in the middle of a turn is careful the next time`() throws {
        try end(during: nil)
        let next = try record()
        #expect(next.isCareful)
        #expect(!next.condemns(bad))
        #expect(try !record().isCareful)
    }

    @Test func `What was being taken at three ends is condemned, and nothing else`() throws {
        for _ in 0..<3 {
            let run = try record()
            #expect(!run.condemns(bad))
            // Earlier messages were not acknowledged, and are delivered again.
            run.begin(good)
            run.end()
            run.begin(bad)
        }
        let last = try record()
        #expect(last.condemns(bad))
        #expect(!last.condemns(good))
        #expect(!last.condemns(Message(topic: "bad", payload: [2])))
    }

    @Test func `What was taken well after an end is not held to it`() throws {
        for _ in 0..<2 { try end(during: bad) }
        let well = try record()
        well.begin(bad)
        well.end()
        try end(during: bad)
        #expect(try !record().condemns(bad))
    }

    @Test func `Ends during different messages condemn none`() throws {
        for _ in 0..<5 {
            try end(during: bad)
            try end(during: good)
        }
        #expect(try !record().condemns(bad) && !record().condemns(good))
    }

    @Test func `A condemned message is refused, told, and acknowledged with the others`() throws {
        let world = try World.withFamily()
        let bad = world.requestMessage("alice", "group.create", #"{"id":1,"name":"Choir"}"#)
        for _ in 0..<3 { try end(during: bad) }
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        turnLoop.record = try record()
        let link = ScriptedLink()
        let moment = ClockReading(wall: world.now, steady: .seconds(100))
        try turnLoop.begin(link, at: moment)
        link.incoming = [
            bad, world.requestMessage("alice", "group.create", #"{"id":2,"name":"Club"}"#),
        ]
        try turnLoop.round(link, at: moment)
        #expect(link.takeSent().contains { $0.topic.hasSuffix("phone/rejected") })
        #expect(try world.count("groups") == 2)
    }
}

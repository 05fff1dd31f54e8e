import Clocks
import Contract
import JSON
import Logging
import MQTT
import Testing
import Tracking

@testable import Bridge

/// An answer that is not stored is never sent after the acknowledgement of its request.
struct DirectAnswerTests {
    private let world: World
    private let turnLoop: TurnLoop

    init() throws {
        world = try World.withFamily()
        try world.turn()
        turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private func moment(_ second: Int) -> ClockReading {
        ClockReading(wall: world.now + .seconds(second), steady: .seconds(100 + second))
    }

    private func answers(_ link: ScriptedLink) -> [Publication] {
        link.takeSent().filter { $0.topic.hasSuffix("/replies") }
    }

    private func ask(_ link: ScriptedLink, _ ids: ClosedRange<Int>) {
        link.incoming += ids.map {
            world.requestMessage("alice", "group.list", "{\"id\":\($0)}")
        }
    }

    @Test func `An answer is sent immediately, without a row, if the broker has room`() throws {
        let link = ScriptedLink()
        try turnLoop.begin(link, at: moment(0))
        ask(link, 1...3)
        try turnLoop.round(at: moment(1))
        #expect(answers(link).map(\.outboxRow) == [nil, nil, nil])
        #expect(try world.count("outbox") == 0)
        #expect(turnLoop.backlog == 0)
    }

    @Test func `An answer that has to wait is stored before its request is acknowledged`() throws {
        let link = ScriptedLink()
        try turnLoop.begin(link, at: moment(0))
        _ = link.takeSent()
        link.hasRoom = false
        ask(link, 1...3)
        var rowsAtAcknowledgement: [Int] = []
        let world = world
        link.whileFlushing = {
            do {
                rowsAtAcknowledgement.append(try world.count("outbox"))
            } catch {
                Issue.record("the outbox cannot be read")
            }
        }
        try turnLoop.round(at: moment(1))
        #expect(answers(link).isEmpty)
        #expect(rowsAtAcknowledgement == [3])
        // The connection breaks before there was room.
        turnLoop.lose()
        let next = ScriptedLink()
        try turnLoop.begin(next, at: moment(2))
        #expect(answers(next).map { JSONValue.read($0.payload)["id"]?.integer } == [1, 2, 3])
    }

    @Test func `An answer queued behind a waiting one is sent after it`() throws {
        let link = ScriptedLink()
        try turnLoop.begin(link, at: moment(0))
        link.hasRoom = false
        ask(link, 1...1)
        try turnLoop.round(at: moment(1))
        link.hasRoom = true
        ask(link, 2...2)
        try turnLoop.round(at: moment(2))
        #expect(answers(link).map { JSONValue.read($0.payload)["id"]?.integer } == [1, 2])
    }
}

import Clocks
import Contract
import Foundation
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

    /// The process ends while it does this, in a turn without messages.
    private func end(over work: ClockWork) throws {
        let run = try record()
        run.beginWithoutMessages()
        run.begin(work)
    }

    @Test func `An end between two turns does not make the next process careful`() throws {
        let first = try record()
        #expect(!first.isCareful)
        first.begin(nil)
        first.end()
        #expect(try !record().isCareful)
    }

    @Test func `An end in the middle of a turn makes the next process careful`() throws {
        try end(during: nil)
        let next = try record()
        #expect(next.isCareful)
        #expect(!next.condemns(bad))
        #expect(try !record().isCareful)
    }

    @Test func `Only a message in progress at three ends is condemned`() throws {
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

    @Test func `A message processed successfully after an end is cleared`() throws {
        for _ in 0..<2 { try end(during: bad) }
        let well = try record()
        well.begin(bad)
        well.end()
        try end(during: bad)
        #expect(try !record().condemns(bad))
    }

    /// The first of them that is not condemned ends the process each time.
    @Test(arguments: [2, 4])
    func `Each of several fatal messages ends the process three times`(_ count: Int) throws {
        let all = (0..<count).map { Message(topic: "bad", payload: [UInt8($0)]) }
        var ends = 0
        while ends < 100 {
            let run = try record()
            guard let next = all.first(where: { !run.condemns($0) }) else { break }
            run.begin(good)
            run.end()
            run.begin(next)
            ends += 1
        }
        #expect(ends == 3 * count)
    }

    // MARK: Work that no message asks for

    @Test func `Only work in progress at three ends is left out`() throws {
        let work = ClockWork.finishing[3]
        for _ in 0..<3 {
            #expect(try record().leftOut.isEmpty)
            try end(over: work)
        }
        let last = try record()
        #expect(last.isCareful && last.leftOut == [work])
    }

    @Test func `Each of several fatal pieces of work ends the process three times`() throws {
        let all = [ClockWork.erasing, ClockWork.finishing[0], .timers(of: .init(rawValue: 7))]
        var ends = 0
        while ends < 100 {
            let run = try record()
            guard let next = all.first(where: { !run.leftOut.contains($0) }) else { break }
            run.beginWithoutMessages()
            run.begin(next)
            ends += 1
        }
        #expect(ends == 3 * all.count)
    }

    @Test func `An end while due times are found between turns also counts`() throws {
        for _ in 0..<3 { try record().begin(ClockWork.finishing[3]) }
        let last = try record()
        #expect(last.isCareful && last.leftOut == [ClockWork.finishing[3]])
    }

    @Test func `An end in a turn with messages is not blamed on clock work`() throws {
        for message in [nil, nil, nil, bad, bad, bad] {
            let run = try record()
            run.begin(message)
            run.begin(ClockWork.finishing[3])
        }
        let last = try record()
        #expect(last.leftOut.isEmpty && last.condemns(bad))
    }

    @Test func `An end after the work was done is not blamed on it`() throws {
        for _ in 0..<3 {
            let run = try record()
            run.beginWithoutMessages()
            run.begin(ClockWork.finishing[3])
            run.endWork()
        }
        let last = try record()
        #expect(last.isCareful && last.leftOut.isEmpty)
    }

    @Test func `The next process retries left-out work, which is left out after one more end`()
        throws
    {
        for _ in 0..<3 { try end(over: .erasing) }
        let run = try record()
        run.settle()
        run.settle()
        #expect(!run.isCareful && run.leftOut == [.erasing])
        #expect(try record().leftOut.isEmpty)
        try end(over: .erasing)
        #expect(try record().leftOut == [.erasing])
    }

    @Test func `Ends that are not consecutive leave no work out`() throws {
        for _ in 0..<5 {
            for _ in 0..<2 { try end(over: .erasing) }
            try record().settle()
        }
        #expect(try record().leftOut.isEmpty)
    }

    @Test func `Each piece of work has a name for the operator`() {
        let all = ClockWork.finishing + ClockWork.rescheduling + ClockWork.sweeping
        #expect(Set(all).count == 3 * Areas.types.count)
        #expect(ClockWork.finishing.map(\.name) == Areas.types.map { "finish \($0)" })
        #expect(all.allSatisfy { $0.name != nil })
        #expect(ClockWork.timers(of: .init(rawValue: 7)).name == "timers")
        #expect(ClockWork.operatorRequest("{}").name == nil)
        #expect(ClockWork(rawValue: .max).name == nil)
    }

    // MARK: The file

    private func write(_ words: [UInt64]) throws {
        let bytes = words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
        try Data(bytes).write(to: URL(fileURLWithPath: database.path + ".turn"))
    }

    /// A record with four words: the activity, the message, the suspect and its ends.
    @Test func `A record of an earlier version counts`() throws {
        let digest = TurnRecord.digest(bad)
        try write([2, digest, digest, 2])
        let record = try record()
        #expect(record.isCareful && record.condemns(bad) && !record.condemns(good))
        #expect(record.leftOut.isEmpty)
    }

    @Test(arguments: [0, 1, 4, 67, 200])
    func `A file with arbitrary contents is usable`(_ length: Int) throws {
        try write([UInt64](repeating: .max, count: length))
        #expect(try !record().condemns(bad))
        try end(during: bad)
        let last = try record()
        #expect(last.isCareful && !last.condemns(bad))
        #expect(last.leftOut.allSatisfy { $0.name == nil })
    }

    // MARK: Refusing

    @Test func `A condemned message is refused, reported and acknowledged with the others`() throws
    {
        let world = try World.withFamily()
        let bad = world.requestMessage("alice", "group.create", #"{"id":1,"name":"Choir"}"#)
        let worse = world.requestMessage("bob", "group.create", #"{"id":3,"name":"Choir"}"#)
        for message in [bad, worse] { for _ in 0..<3 { try end(during: message) } }
        let turnLoop = TurnLoop(
            world.engine, world.settings,
            logger: Logger(label: "turns", factory: { _ in SwiftLogNoOpLogHandler() }))
        turnLoop.record = try record()
        let link = ScriptedLink()
        let moment = ClockReading(wall: world.now, steady: .seconds(100))
        try turnLoop.begin(link, at: moment)
        link.incoming = [
            bad, world.requestMessage("alice", "group.create", #"{"id":2,"name":"Club"}"#), worse,
        ]
        try turnLoop.round(at: moment)
        #expect(link.takeSent().count { $0.topic.hasSuffix("phone/rejected") } == 2)
        #expect(try world.count("groups") == 2)
    }
}

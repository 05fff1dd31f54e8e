import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A damaged page of the database affects only what needs it.
struct DamageTests {
    private let faults = Faults()
    private let world: World

    init() throws {
        let faults = faults
        world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try Script.play(in: world, "10:00:00 alice shares with all\n10:00:01 alice at 10 m seq 1")
        _ = world.published()
        // Statements that change or count the table's rows; the newest id is read from an index.
        faults.damaged = [
            "INTO chat_messages", "DELETE FROM chat_messages", "FROM chat_messages c",
        ]
    }

    private func take(
        _ messages: Message..., tasks: Engine.TurnTasks = [.releasing, .timers]
    ) throws -> [Publication] {
        try world.engine.turnIsolating(
            messages, at: world.now, listeningSince: world.listeningSince, tasks)
    }

    private var chat: Message {
        world.requestMessage("alice", "chat.send", #"{"group":"$family","text":"Hello"}"#)
    }

    @Test func `Presence is published without the chat note if chat data is damaged`() throws {
        for (word, isOnline) in [("offline", false), ("online", true)] {
            var published = try take(world.status("alice", word))
            world.sleep(.seconds(61))
            // The second turn does what the first has scheduled.
            published += try take() + take()
            let state = published.last { $0.topic.hasSuffix("/members/alice") }
            #expect(
                JSONValue.read(state?.payload ?? [])["online"] == .bool(isOnline), "\(word)")
            #expect(!published.contains { $0.topic.hasSuffix("/chat") })
        }
        #expect(world.engine.isDamaged)
    }

    @Test func `A device that the gate sees connecting is online despite damaged chat data`() throws
    {
        let phone = ConnectionReport.Party.device("phone", of: "alice")
        func report(_ report: ConnectionReport) -> Message {
            world.message(.connections, String(decoding: report.payload, as: UTF8.self))
        }
        _ = try take(report(.disconnected(phone)), tasks: .arrivals)
        world.sleep(.seconds(61))
        _ = try take() + take()
        // One turn reads the report, and another processes it.
        _ = try take(report(.connected(phone)), tasks: [])
        let published = try take(tasks: .arrivals)
        let state = published.last { $0.topic.hasSuffix("/members/alice") }
        #expect(JSONValue.read(state?.payload ?? [])["online"] == .bool(true))
        #expect(world.engine.isDamaged && !world.engine.hasArrivals)
    }

    @Test func `A call for help after a silence gets through despite damaged chat data`() throws {
        _ = try take(world.status("alice", "offline"))
        world.sleep(.seconds(70))
        _ = try take()
        let published = try take(
            world.status("alice", "online"), world.requestMessage("alice", "sos.trigger", "{}"))
        #expect(published.contains { $0.topic.hasSuffix("/alerts") })
        #expect(published.contains { $0.topic.contains("/replies") })
    }

    @Test func `Damaged chat data fails a chat message but not the fix beside it`() throws {
        world.sleep(.seconds(10))
        let published = try take(world.fixMessage("alice", TestFix(7, seq: 2)), chat)
        #expect(try world.count("fixes") == 2)
        let replies = published.filter { $0.topic.contains("/replies") }
        #expect(replies.count == 1)
        #expect(
            JSONValue.read(replies.first?.payload ?? [])["problem"]?["detail"]?.text
                == Turn.damaged.detail)
    }

    @Test func `Damaged unread counts block neither a call nor a position`() throws {
        faults.damaged = ["SELECT m.alerts_unread"]
        let published = try take(world.requestMessage("alice", "sos.trigger", "{}"))
        #expect(published.contains { $0.topic.hasSuffix("/alerts") })
        world.sleep(.seconds(10))
        _ = try take(world.fixMessage("alice", TestFix(7, seq: 2)))
        #expect(try world.count("fixes") == 2)
        #expect(world.engine.leftOut.map(\.name) == ["finish Notices"])
    }

    @Test func `A call for help gets through once and is answered despite damaged replies`() throws
    {
        faults.damaged = ["FROM replies", "INTO replies"]
        let call = world.requestMessage("alice", "sos.trigger", #"{"id":"1"}"#)
        let published = try take(call)
        #expect(published.contains { $0.topic.hasSuffix("/alerts") })
        #expect(published.contains { $0.topic.contains("/replies") })
        _ = try take(call)
        #expect(try world.count("alerts") == 1)
        #expect(world.engine.isDamaged)
    }

    @Test(arguments: ["INTO fixes", "INTO alerts"])
    func `A message whose data is damaged is deferred, and nothing is published`(_ part: String)
        throws
    {
        world.sleep(.seconds(10))
        let message =
            part == "INTO fixes"
            ? world.fixMessage("alice", TestFix(7, seq: 2))
            : world.requestMessage("alice", "sos.trigger", "{}")
        faults.damaged = [part]
        #expect(throws: StoreError.self) { _ = try take(message) }
        #expect(throws: StoreError.self, "delivered again") { _ = try take(message, chat) }
        faults.damaged = []
        _ = try take(message)
        #expect(try world.count("fixes") + world.count("alerts") == 2)
    }
}

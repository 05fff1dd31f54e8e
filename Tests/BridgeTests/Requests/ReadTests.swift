import Contract
import JSON
import MQTT
import Testing

@testable import Bridge

/// Answers to reads are not stored.
struct ReadTests {
    /// The fields that each read needs besides an id.
    static let reads = [
        ("group.list", ""), ("members.get", #","group":"$family""#),
        ("path.get", #","group":"$family","user":"bob""#), ("alert.list", #","group":"$family""#),
        ("chat.history", #","group":"$family""#), ("account.get", ""), ("account.export", ""),
        ("device.list", ""), ("sharing.list", ""), ("friend.list", ""),
        ("friend.nearby", #","radius":10,"fix":{"latitude":1,"longitude":1}"#),
    ]

    @Test(arguments: reads)
    func `A read stores nothing, and its id can be reused`(_ method: String, _ fields: String)
        throws
    {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1))
        try world.turn()
        let rows = try world.count("outbox") + world.count("replies")
        let work = #"{"id":1\#(fields)}"#
        let reply = try world.turn([world.requestMessage("alice", method, work)])
            .filter { $0.topic.hasSuffix("/replies") }
        #expect(reply.map { JSONValue.read($0.payload).outcome } == ["ok"])
        #expect(reply.map(\.qos) == [.atLeastOnce])
        #expect(reply.map(\.outboxRow) == [nil])
        #expect(reply.map(\.lane) == [.prompt])
        #expect(try world.count("outbox") + world.count("replies") == rows)
        // Another request may use its id, and a read may use an id that has been used.
        #expect(try world.outcome("alice", "group.create", #"{"id":1,"name":"Choir"}"#) == "ok")
        #expect(try world.outcome("alice", method, work) == "ok")
    }

    @Test func `A repeated read is performed again`() throws {
        let world = try World.withFamily()
        let request = world.requestMessage("alice", "group.list", #"{"id":1}"#)
        let first = try world.reply(to: request)["result"]?["groups"]?.elements
        #expect(first?.count == 1)
        try world.ask("alice", "group.create", #"{"id":2,"name":"Choir"}"#)
        #expect(try world.reply(to: request)["result"]?["groups"]?.elements.count == 2)
    }

    /// It was acknowledged before the answer.
    @Test func `A deferred read is answered through the outbox`() throws {
        var settings = BridgeSettings()
        settings.fairness.turnShare = 0
        let world = try World.withFamily(settings)
        (world.goesOn, world.confirms) = (false, false)
        try world.send(world.requestMessage("alice", "group.list", #"{"id":1}"#))
        #expect(try world.count("waiting_requests") == 1)
        try world.restart()
        var settings2 = settings
        settings2.fairness.turnShare = 100
        let engine = try Engine(world.store, settings2)
        let replies = try engine.turn(
            [], at: world.now, listeningSince: world.now, .releasing
        ).filter { $0.topic.hasSuffix("/replies") }
        #expect(replies.map { $0.outboxRow == nil } == [false])
        #expect(try world.count("waiting_requests") == 0)
        #expect(try world.count("outbox", where: "topic LIKE '%/replies'") == 1)
        #expect(try world.count("replies", where: "request LIKE 'id:1 %'") == 0)
    }

    @Test func `A request with oversized correlation data is not queued on disk`() throws {
        var settings = BridgeSettings()
        settings.fairness.turnShare = 0
        let world = try World.withFamily(settings)
        world.goesOn = false
        for (count, waiting) in [(257, 0), (65_000, 0), (256, 1)] {
            let request = world.requestMessage(
                "alice", "group.create", #"{"name":"x"}"#,
                correlation: [UInt8](repeating: 7, count: count))
            let replies = try world.turn([request]).filter { $0.topic.hasSuffix("/replies") }
            #expect(
                replies.map { JSONValue.read($0.payload).outcome }
                    == (waiting == 0 ? ["too-large"] : []))
            #expect(try world.count("waiting_requests") == waiting)
        }
        #expect(
            try world.integers("SELECT MAX(LENGTH(correlation_data)) FROM waiting_requests") == [
                256
            ])
    }
}

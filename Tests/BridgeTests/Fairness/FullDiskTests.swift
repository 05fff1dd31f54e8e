import Contract
import JSON
import MQTT
import Store
import Testing
import Tracking

@testable import Bridge

/// On a full disk calls for help are still stored and told, and nothing else takes their room.
struct FullDiskTests {
    /// Asks in a turn that spares the disk.
    ///
    /// - Returns: the answer.
    private func ask(_ world: World, _ sender: Sender, _ method: String, _ fields: String = "{}")
        throws -> JSONValue
    {
        _ = world.published()
        try world.turn([world.requestMessage(sender, method, fields)], .sparing)
        let replies = world.published().filter { $0.topic.contains("/replies") }
        return replies.last.map { JSONValue.read($0.payload) } ?? .null
    }

    private func problem(_ answer: JSONValue) -> String? { answer["problem"]?["type"]?.text }

    @Test func `A call, its end and its acknowledgement are stored and told`() throws {
        let world = try World.withFamily()
        #expect(try ask(world, "alice", "sos.trigger")["result"]?["state"]?.text == "sos")
        let id = try #require(
            try world.ask("bob", "alert.list", #"{"group":"\#(world.names["family"])"}"#)[
                "result"]?["alerts"]?.elements.first?["id"]?.text)
        #expect(try world.count("alerts") == 1)
        #expect(
            try ask(world, "bob", "alert.acknowledge", #"{"alert":"\#(id)","kind":"coming"}"#)[
                "result"] != nil)
        #expect(try world.count("acknowledgements") == 1)
        #expect(problem(try ask(world, "alice", "sos.stop")) == nil)
        #expect(world.state(of: "alice")["state"]?.text != "sos")
        try world.restart()
        #expect(try world.count("alerts") == 2)
    }

    @Test func `Whatever else would take room is refused, and nothing is kept of that`() throws {
        let world = try World.withFamily()
        let family = world.names["family"]
        let before = try world.tableCounts()
        for (method, fields) in [
            ("chat.send", #"{"group":"\#(family)","text":"Hello"}"#),
            ("friend.add", #"{"user":"bob"}"#),
            ("import.add", #"{"source":"Watch","positions":[]}"#),
        ] {
            #expect(
                problem(try ask(world, "alice", method, fields)) == "urn:kith:problem:disk-full",
                "\(method)")
        }
        #expect(try world.tableCounts() == before)
        #expect(try world.count("outbox") == 0)
        // What only reads is answered.
        #expect(try ask(world, "alice", "group.list")["result"] != nil)
    }

    @Test func `What was refused is done when it is asked again and there is room`() throws {
        let world = try World.withFamily()
        let fields = #"{"id":"1","group":"\#(world.names["family"])","text":"Hello"}"#
        #expect(problem(try ask(world, "alice", "chat.send", fields)) != nil)
        _ = world.published()
        try world.turn([world.requestMessage("alice", "chat.send", fields)])
        let reply = world.published().last { $0.topic.contains("/replies") }
        #expect(JSONValue.read(reply?.payload ?? [])["result"]?["message"] != nil)
    }

    @Test func `Every method that is served is one, and none of them makes anything twice`() {
        for name in Turn.servedOnFullDisk {
            #expect(Method.named(name)?.effect == .changes, "\(name)")
        }
    }
}

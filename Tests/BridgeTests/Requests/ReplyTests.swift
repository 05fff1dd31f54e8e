import Contract
import JSON
import MQTT
import Testing

@testable import Bridge

struct ReplyTests {
    private let ownReplies = "kith/users/alice/devices/phone/replies"

    private func replies(_ world: World) -> [Publication] {
        world.published().filter { $0.topic.contains("/replies") }
    }

    @Test func `A reply is sent to the device's reply topic and kept until confirmed`() throws {
        let world = try World.withFamily()
        try world.send(world.requestMessage("alice", "sos.stop", #"{"id":"a"}"#))
        let reply = try #require(replies(world).first)
        #expect(reply.topic == ownReplies)
        #expect(reply.qos == .atLeastOnce)
        #expect(!reply.retain)
        #expect(reply.outboxRow != nil)
        #expect(reply.correlationData == nil)
    }

    @Test(arguments: ["", "/1", "/a/b", "/$x", "/1/2/3/4/5/6/7/8"])
    func `A reply is sent to a response topic below the device's reply topic`(_ suffix: String)
        throws
    {
        let world = try World.withFamily()
        try world.send(
            world.requestMessage(
                "alice", "group.list", responseTopic: ownReplies + suffix, correlation: [1, 0, 255])
        )
        let reply = try #require(replies(world).first)
        #expect(reply.topic == ownReplies + suffix)
        #expect(reply.correlationData == [1, 0, 255])
        #expect(JSONValue.read(reply.payload).outcome == "ok")
    }

    @Test(arguments: [
        "kith/users/bob/devices/phone/replies", "kith/users/alice/devices/watch/replies",
        "kith/users/alice/devices/phone/repliesX", "kith/users/alice/devices/phone/fix",
        "kith/users/alice/devices/phone/replies/+", "kith/users/alice/devices/phone/replies/#",
        "kith/users/alice/devices/phone/replies/a#b", "kith/users/alice/devices/+/replies",
        "kith/users/alice/notices", "kith/groups/x/chat", "kith/system/status", "anything", "",
        "other/users/alice/devices/phone/replies", "$SYS/broker", "kith/users/alice",
        "kith/users/alice/devices/phone/replies/" + String(repeating: "a", count: 600),
        "kith/users/alice/devices/phone/replies/1/2/3/4/5/6/7/8/9",
        "kith/users/alice/devices/phone/replies" + String(repeating: "/", count: 250),
    ])
    func `A response topic outside the device's own is refused, and nothing is done`(
        _ topic: String
    ) throws {
        let world = try World.withFamily()
        let request = world.requestMessage(
            "alice", "group.create", #"{"name":"Choir"}"#, responseTopic: topic,
            correlation: [1])
        try world.send(request)
        let reply = try #require(replies(world).first)
        #expect(reply.topic == ownReplies)
        #expect(JSONValue.read(reply.payload).outcome == "not-allowed")
        #expect(try world.count("groups") == 1)
    }

    @Test func `Correlation data over the bound is refused and not echoed`() throws {
        let world = try World.withFamily()
        for (count, outcome) in [(256, "ok"), (257, "too-large"), (65_000, "too-large")] {
            let data = [UInt8](repeating: 7, count: count)
            try world.send(
                world.requestMessage("alice", "group.list", correlation: data))
            let reply = try #require(replies(world).last)
            #expect(JSONValue.read(reply.payload).outcome == outcome)
            #expect(reply.correlationData == (outcome == "ok" ? data : nil))
        }
    }

    @Test(arguments: [
        ("/1/2/3/4/5/6/7/8/9", 1, "not-allowed"),
        (String(repeating: "/", count: 250), 1, "not-allowed"),
        ("/1", 257, "too-large"), ("/1", 65_000, "too-large"),
    ])
    func `A guest's reply has the same bounds`(_ suffix: String, _ count: Int, _ outcome: String)
        throws
    {
        let world = try World()
        let own = "kith/guests/someone/replies"
        try world.send(
            Message(
                topic: "kith/guests/someone/requests/account.register", payload: Array("{}".utf8),
                responseTopic: own + suffix,
                correlationData: [UInt8](repeating: 7, count: count)))
        let reply = try #require(replies(world).first)
        #expect(JSONValue.read(reply.payload).outcome == outcome)
        #expect(reply.correlationData == nil)
    }

    @Test(arguments: [#""a""#, "17", "1.5", #""ünï \"x\"""#])
    func `A request's id is echoed in result and problem`(_ id: String) throws {
        let world = try World.withFamily()
        let expected = JSONValue.read(Array(id.utf8))
        #expect(try world.ask("alice", "group.list", #"{"id":\#(id)}"#)["id"] == expected)
        let problem = try world.ask("bob", "journey.stop", #"{"id":\#(id)}"#)
        #expect(problem["id"] == expected)
        #expect(problem.outcome == "not-on-a-journey")
    }

    @Test func `A problem has all fields that RFC 9457 requires`() throws {
        let world = try World.withFamily()
        let problem = try #require(try world.ask("alice", "group.add")["problem"])
        #expect(problem["type"]?.text == "urn:kith:problem:invalid")
        #expect(problem["title"]?.text == "Some fields are not valid")
        #expect(problem["status"]?.integer == 422)
        #expect(
            problem["detail"]?.text
                == "Some fields are not valid: group is missing; user is missing.")
        #expect(problem["errors"]?.elements.map { $0["field"]?.text } == ["group", "user"])
    }

    @Test func `An empty payload means a request without fields`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "group.list") == "ok")
        #expect(try world.outcome("alice", "journey.stop") == "not-on-a-journey")
    }

    @Test func `Requests in one turn are answered one by one, in their order`() throws {
        let world = try World.withFamily()
        try world.send(
            world.requestMessage("alice", "sos.trigger", #"{"id":1}"#),
            world.requestMessage("alice", "sos.trigger", #"{"id":2}"#),
            world.requestMessage("alice", "sos.stop", #"{"id":3}"#),
            world.requestMessage("bob", "sos.stop", #"{"id":4}"#))
        let outcomes = replies(world).map { JSONValue.read($0.payload) }
        #expect(outcomes.map { $0["id"]?.integer } == [1, 2, 3, 4])
        #expect(outcomes.map(\.outcome) == ["ok", "already-in-sos", "ok", "not-in-sos"])
    }

    @Test func `Requests of unknown users or on invalid topics are rejected to the device`() throws
    {
        let world = try World.withFamily()
        try world.send(world.requestMessage("nobody", "group.list"))
        try world.send(Message(topic: "kith/users/alice/devices/phone/requests", payload: []))
        try world.send(
            Message(topic: "kith/users/alice/devices/phone/requests/a/b", payload: []))
        let told = world.published()
        #expect(
            told.map(\.topic) == [
                "kith/users/nobody/devices/phone/rejected",
                "kith/users/alice/devices/phone/rejected",
                "kith/users/alice/devices/phone/rejected",
            ])
        #expect(
            told.map { JSONValue.read($0.payload)["problem"]?.problemWords }
                == ["unknown-user", "not-allowed", "not-allowed"])
    }
}

import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// On a full disk calls for help are still stored and published; nothing else takes their room.
struct FullDiskTests {
    /// Sends a request in a turn that spares the disk.
    ///
    /// - Returns: the reply.
    private func ask(_ world: World, _ sender: Sender, _ method: String, _ fields: String = "{}")
        throws -> JSONValue
    {
        _ = world.published()
        try world.turn([world.requestMessage(sender, method, fields)], .sparing)
        let replies = world.published().filter { $0.topic.contains("/replies") }
        return replies.last.map { JSONValue.read($0.payload) } ?? .null
    }

    private func problem(_ answer: JSONValue) -> String? { answer["problem"]?["type"]?.text }

    @Test func `A call, its end and its acknowledgement are stored on a full disk`() throws {
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

    @Test func `Other requests that need room are refused and leave no trace`() throws {
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
        // A request that only reads is answered.
        #expect(try ask(world, "alice", "group.list")["result"] != nil)
    }

    @Test func `A refused request is done when it is repeated and there is room`() throws {
        let world = try World.withFamily()
        let fields = #"{"id":"1","group":"\#(world.names["family"])","text":"Hello"}"#
        #expect(problem(try ask(world, "alice", "chat.send", fields)) != nil)
        _ = world.published()
        try world.turn([world.requestMessage("alice", "chat.send", fields)])
        let reply = world.published().last { $0.topic.contains("/replies") }
        #expect(JSONValue.read(reply?.payload ?? [])["result"]?["message"] != nil)
    }

    @Test func `Guests can log in, but do nothing else that needs room`() throws {
        let world = try World.withFamily()
        #expect(try world.register() == "ok")
        func asked(_ method: String, _ payload: String) throws -> [String?] {
            _ = world.published()
            try world.turn([try world.guestMessage(method, payload)], .sparing)
            return world.published().filter { $0.topic.hasPrefix("kith/guests/") }
                .map { problem(.read($0.payload)) }
        }
        let before = try world.tableCounts()
        let other = ["username": #""dora""#, "email": #""dora@example.org""#]
        for (method, payload) in [
            ("account.register", object(carol, other)),
            ("account.forgot", #"{"login":"carol"}"#),
            ("share.open", #"{"token":"x"}"#),
        ] {
            #expect(
                try asked(method, payload) == ["urn:kith:problem:disk-full"], "\(method)")
        }
        #expect(try world.tableCounts() == before)
        let login = #"{"login":"carol","password":"correct horse","device":"phone"}"#
        #expect(try asked("account.login", login) == [nil])
        #expect(try world.tokenHashes().count == 1)
    }

    @Test func `Waiting requests are refused and leave nothing behind`() throws {
        let world = try FairnessTests.world()
        try world.turn(
            (0..<60).map {
                world.requestMessage(
                    "alice", "group.create", #"{"id":\#($0),"name":"Song \#($0)"}"#)
            })
        let (waiting, made) = (try world.count("waiting_requests"), try world.count("groups"))
        #expect(waiting > 0)
        _ = world.published()
        while world.engine.heldBack > 0 {
            world.sleep(.seconds(1))
            try world.turn([], .sparing)
        }
        let refusals = world.published().filter { $0.topic.contains("/replies") }
        #expect(refusals.count == waiting)
        #expect(
            refusals.allSatisfy {
                problem(.read($0.payload)) == "urn:kith:problem:disk-full"
            })
        #expect(try world.count("groups") == made)
    }

    // MARK: Vital signs

    @Test func `Vital signs call for help but are not stored`() throws {
        let world = try World.withWatchedAlice()
        let before = try world.tableCounts()
        for number in 1...2 {
            let time = world.now.milliseconds
            let sample =
                #"{"timestamp":\#(time),"heartRate":35,"oxygenSaturation":85,"#
                + #""respiratoryRate":7,"seq":\#(number)}"#
            try world.turn([world.vitalsMessage("alice/watch", sample)], .sparing)
            world.sleep(.seconds(4))
        }
        #expect(world.incident != nil)
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        let after = try world.tableCounts()
        #expect(try world.count("vitals") == 0)
        for table in ["devices", "fixes"] {
            #expect(after[table] == before[table], "\(table)")
        }
        #expect(!world.published().contains { $0.topic.hasSuffix("/stored") }, "no receipt")
        // They are sent again when there is room.
        try world.vitals("alice/watch", rate: 70, seq: 1)
        #expect(try world.count("vitals") == 1)
    }

    // MARK: OwnTracks

    @Test func `An app's call is handled once; its other messages leave no trace`() throws {
        let world = try World.withFamily()
        let before = try world.tableCounts()
        func sent(_ meters: Int, _ more: String = "") -> Message {
            world.ownTracks("alice/app", Phone.location(meters, at: world.now, more))
        }
        let plain = sent(10)
        try world.turn(
            [
                plain, world.ownTracks("alice/app", #"{"_type":"lwt","tst":1}"#),
                world.ownTracks("alice/app", "{"),
                world.ownTracks(
                    "alice/app", Phone.location(20, at: world.now, #","poi":"SOS""#), retain: true),
            ], .sparing)
        #expect(try world.tableCounts() == before)
        world.sleep(.seconds(1))
        let call = sent(20, #","poi":"SOS""#)
        try world.turn([call], .sparing)
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        #expect(try world.count("fixes") == 1)
        // Pressed again, and then she is safe.
        world.sleep(.seconds(1))
        let again = sent(30, #","poi":"SOS""#)
        try world.turn([again, call], .sparing)
        #expect(try world.count("fixes") == 1)
        try world.turn([world.requestMessage("alice", "sos.stop")], .sparing)
        #expect(try world.count("alerts") == 2)
        // The other session delivers everything once there is room.
        world.sleep(.seconds(7200))
        try world.turn([plain, call, again])
        #expect(world.state(of: "alice")["state"]?.text != "sos")
        #expect(try world.count("alerts") == 2)
        #expect(try world.count("fixes") == 3)
    }

    @Test func `Only calls for help and logins are done on a full disk`() {
        let methods = Method.all.filter { $0.isDoneOnFullDisk && !$0.isRead && !$0.isUrgent }
        #expect(methods.allSatisfy { $0.askers == .guest || $0.effect == .changes })
        #expect(
            Set(methods.map(\.name)) == [
                "sos.trigger", "sos.stop", "alert.acknowledge", "account.login",
                "account.passkey.login", "thirdparty.login",
            ])
    }
}

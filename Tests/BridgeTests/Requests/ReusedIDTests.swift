import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// An id that a device has used for another request: some clients count from 1 at each start.
struct ReusedIDTests {
    private let used = "id-already-used"

    private func state(in world: World) -> String? { world.state(of: "alice")["state"]?.text }

    /// The family, and Carol, who has a password.
    private func withCarol() throws -> World {
        let world = try World.withFamily()
        #expect(try world.register() == "ok")
        try world.token()
        try world.operate(.addMember(world.names["family"], "carol"))
        return world
    }

    // MARK: A call for help

    @Test(arguments: [
        ("group.list", #"{"id":1}"#), ("sos.stop", #"{"id":1}"#),
        ("group.create", #"{"id":1,"name":"Choir"}"#),
    ])
    func `A call for help is accepted under an id used for another request`(
        _ method: String, _ payload: String
    ) throws {
        let world = try World.withFamily()
        let first = try world.ask("alice", method, payload)
        #expect(try world.ask("alice", "sos.trigger", #"{"id":1}"#).outcome == "ok")
        #expect(state(in: world) == "sos")
        // The id also still identifies the first request.
        #expect(try world.ask("alice", method, payload) == first)
    }

    @Test func `A call for help is accepted under correlation data of another request`() throws {
        let world = try World.withFamily()
        for method in ["group.list", "sos.trigger"] {
            let request = world.requestMessage("alice", method, correlation: [0, 0, 0, 1])
            #expect(try world.reply(to: request).outcome == "ok")
        }
        #expect(state(in: world) == "sos")
    }

    @Test func `A call for help is accepted while a password under its id is checked`() throws {
        let world = try withCarol()
        world.worksOnPasswords = false
        let change = #"{"id":1,"old":"correct horse","new":"new password"}"#
        try world.send(world.requestMessage("carol", "account.password", change))
        #expect(try world.outcome("carol", "journey.stop", #"{"id":1}"#) == used)
        #expect(try world.outcome("carol", "sos.trigger", #"{"id":1}"#) == "ok")
        #expect(world.state(of: "carol")["state"]?.text == "sos")
    }

    @Test func `A call for help does not wait behind another request with its id`() throws {
        var settings = BridgeSettings()
        settings.fairness.turnShare = 0
        let world = try World.withFamily(settings)
        world.goesOn = false
        try world.send(world.requestMessage("alice", "group.list", #"{"id":1}"#))
        #expect(try world.count("waiting_requests") == 1)
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":1}"#) == "ok")
        #expect(state(in: world) == "sos")
    }

    @Test func `A repeated call is answered again but alerts no one twice`() throws {
        let world = try World.withFamily()
        let first = try world.ask("alice", "sos.trigger", #"{"id":1}"#)
        world.sleep(.seconds(30))
        _ = world.published()
        let fix = TestFix(7).json(at: world.now)
        for payload in [#"{"id":1}"#, #"{"id":1,"fix":\#(fix)}"#] {
            #expect(try world.ask("alice", "sos.trigger", payload) == first)
        }
        #expect(!world.published().contains { $0.topic.hasSuffix("/alerts") })
        #expect(try world.count("alerts") == 1)
    }

    @Test func `An app that restarts its ids at 1 can call for help again`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":1}"#) == "ok")
        world.sleep(.seconds(300))
        #expect(try world.outcome("alice", "sos.stop", #"{"id":2}"#) == "ok")
        world.sleep(.seconds(5))
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":1}"#) == "ok")
        #expect(state(in: world) == "sos")
        #expect(try world.count("alerts", where: "document LIKE '%\"sos\"%'") == 2)
    }

    @Test func `A call can also reuse its id after a restart, unless just answered`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":1}"#) == "ok")
        world.sleep(.seconds(20))
        #expect(try world.outcome("alice", "sos.stop", #"{"id":2}"#) == "ok")
        // No requests have been sent since then.
        world.sleep(.seconds(120))
        try world.fix("bob", TestFix(1))
        world.sleep(.seconds(5))
        try world.restart()
        world.sleep(.milliseconds(20))
        #expect(try world.outcome("alice", "sos.trigger", #"{"id":1}"#) == "ok")
        #expect(state(in: world) == "sos")
    }

    @Test func `Redelivered messages of a past SOS do not begin another one`() throws {
        let world = try World.withFamily()
        let call = world.requestMessage("alice", "sos.trigger", #"{"id":1}"#)
        let stop = world.requestMessage("alice", "sos.stop", #"{"id":2}"#)
        let replies = [try world.reply(to: call), try world.reply(to: stop)]
        world.sleep(.seconds(5))
        try world.restart()
        world.sleep(.milliseconds(20))
        #expect(try [world.reply(to: call), world.reply(to: stop)] == replies)
        #expect(state(in: world) == "active")
    }

    @Test func `A call that could reach no one can be repeated under its id`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol")
        #expect(try world.outcome("carol", "sos.trigger", #"{"id":1}"#) == "not-a-member")
        try world.operate(.addMember(world.names["family"], "carol"))
        #expect(try world.outcome("carol", "sos.trigger", #"{"id":1}"#) == "ok")
    }

    // MARK: Anything else

    @Test func `Another request under a used id is a conflict and is not performed`() throws {
        let world = try World.withFamily()
        let create = #"{"id":1,"name":"Choir"}"#
        let first = try world.ask("alice", "group.create", create)
        #expect(try world.outcome("alice", "group.create", #"{"id":1,"name":"Band"}"#) == used)
        #expect(try world.outcome("alice", "journey.stop", #"{"id":1}"#) == used)
        #expect(try world.count("groups", where: "name = 'Band'") == 0)
        // The conflict does not replace the reply stored for the id.
        #expect(try world.ask("alice", "group.create", create) == first)
        #expect(try world.outcome("alice", "sharing.stop", #"{"id":10,"groups":"all"}"#) == "ok")
        #expect(
            try world.outcome("alice/watch", "sharing.stop", #"{"id":1,"groups":"all"}"#) == "ok")
    }

    @Test func `The second of two requests under one id in a turn is a conflict`() throws {
        let world = try World.withFamily()
        let off = world.requestMessage("alice", "location.off", #"{"id":1}"#)
        let stop = world.requestMessage("alice", "sharing.stop", #"{"id":1,"groups":"all"}"#)
        let outcomes = try world.turn([off, stop])
            .filter { $0.topic.hasSuffix("/replies") }
            .map { JSONValue.read($0.payload).outcome }
        #expect(outcomes == ["ok", used])
    }

    @Test func `Nothing about a password is stored, not even a digest`() throws {
        let world = try withCarol()
        for word in ["wrong password", "other password"] {
            let change = #"{"id":1,"old":"\#(word)","new":"new password"}"#
            #expect(try world.outcome("carol", "account.password", change) == "wrong-credentials")
        }
        #expect(try world.count("replies", where: "request NOT LIKE 'guest:%'") == 1)
    }
}

import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Users' requests about their own account.
struct AccountTests {
    private func worldWithCarol() throws -> World {
        let world = try World.withFamily()
        try world.register()
        try world.token()
        try world.operate(.addMember(world.names["family"], "carol"))
        try world.send(world.status("carol", "online"))
        _ = world.published()
        return world
    }

    @Test func `The profile returns the registered data`() throws {
        let world = try worldWithCarol()
        let result = try world.ask("carol", "account.get")["result"]
        #expect(
            result.map { $0.members }
                == [
                    "user": "carol", "email": "Carol@example.org", "firstName": "Carol",
                    "lastName": "Čapek", "name": "Carol Čapek",
                    "createdAt": "2026-05-01T10:00:00.000Z", "addableBy": "friends",
                    "phoneShownTo": "sos",
                ])
    }

    @Test func `An operator-created user's profile omits unknown fields`() throws {
        let world = try World.withFamily()
        let result = try world.ask("alice", "account.get")["result"]
        #expect(result?.members["name"] == "Alice")
        #expect(result?.members["firstName"] == nil)
    }

    // MARK: Updating

    @Test func `A new name appears wherever the old one was shown`() throws {
        let world = try worldWithCarol()
        try world.send(world.ownTracks("bob/app", Phone.location(0, at: world.now)))
        try world.ask("carol", "sharing.start", #"{"groups":"all"}"#)
        try world.fix("carol", TestFix(10))
        let before = world.state(of: "carol")["version"]?.integer ?? 0
        let result = try world.ask("carol", "account.update", #"{"firstName":"Karla"}"#)["result"]
        #expect(result?.members["name"] == "Karla Čapek")
        #expect(world.state(of: "carol")["name"]?.text == "Karla Čapek")
        #expect(world.state(of: "carol")["version"]?.integer == before + 1)
        let everything = world.retained.values.map { String(decoding: $0, as: UTF8.self) }
        #expect(!everything.contains { $0.contains("Carol Čapek") })
        let card = world.retained["owntracks/bob/@carol/info"] ?? []
        #expect(JSONValue.read(card)["name"]?.text == "Karla Čapek")
        // The broker retains what a newly started bridge would want it to retain.
        #expect(try world.twin().corrections(of: world.retained).isEmpty)
    }

    @Test func `A name update changes only the name; an empty update changes nothing`() throws {
        let world = try worldWithCarol()
        _ = world.published()
        let first = try world.ask("carol", "account.update", "{}")["result"]
        #expect(first == (try world.ask("carol", "account.get")["result"]))
        #expect(world.published().allSatisfy { $0.topic.contains("/replies") })
        let second = try world.ask("carol", "account.update", #"{"lastName":"B"}"#)["result"]
        #expect(second?.members["name"] == "Carol B")
        #expect(second?.members["email"] == "Carol@example.org")
    }

    @Test func `A first name set later becomes the displayed name`() throws {
        let world = try World.withFamily()
        let result = try world.ask("alice", "account.update", #"{"firstName":"Alicia"}"#)["result"]
        #expect(result?.members["name"] == "Alicia")
    }

    @Test func `A new address replaces the old one`() throws {
        let world = try worldWithCarol()
        #expect(try world.outcome("carol", "account.update", #"{"email":"new@x.org"}"#) == "ok")
        #expect(try world.logIn("NEW@x.org").outcome == "ok")
        #expect(try world.logIn("carol@example.org").outcome == "wrong-credentials")
        #expect(world.engine.counters.values["passwords-failed"] == 1)
        #expect(
            try world.register(["username": #""other""#, "email": #""CAROL@example.org""#])
                == "ok")
        try world.restart()
        #expect(try world.logIn("new@x.org").outcome == "ok")
    }

    @Test(arguments: [
        (#"{"email":"ALICE@example.org"}"#, "invalid: email is taken"),
        (#"{"email":"x"}"#, "invalid: email must be an address such as ann@example.org"),
        (
            #"{"firstName":"","email":7}"#,
            "invalid: email must be a string; firstName must not be empty"
        ),
    ])
    func `An invalid update is rejected and changes nothing`(_ payload: String, _ words: String)
        throws
    {
        let world = try worldWithCarol()
        #expect(try world.outcome("carol", "account.update", payload) == words)
        #expect(try world.ask("carol", "account.get")["result"]?.members["name"] == "Carol Čapek")
    }

    @Test func `First and last name together have at most 64 characters`() throws {
        let world = try worldWithCarol()
        let long = String(repeating: "x", count: 60)
        let outcome = try world.outcome("carol", "account.update", #"{"firstName":"\#(long)"}"#)
        #expect(
            outcome == "invalid: firstName must have at most 64 characters, "
                + "together with the other name")
    }

    @Test func `A user's own address in another case is accepted`() throws {
        let world = try worldWithCarol()
        let payload = #"{"email":"carol@example.org"}"#
        let result = try world.ask("carol", "account.update", payload)["result"]
        #expect(result?.members["email"] == "carol@example.org")
    }

    // MARK: The password

    private let change = #"{"id":1,"old":"correct horse","new":"another horse"}"#

    @Test func `A new password replaces the old one`() throws {
        let world = try worldWithCarol()
        #expect(try world.outcome("carol", "account.password", change) == "ok")
        #expect(try world.logIn().outcome == "wrong-credentials")
        #expect(try world.logIn("carol", "another horse").outcome == "ok")
    }

    @Test func `A password change logs out all other devices on request`() throws {
        let world = try worldWithCarol()
        for device in ["tablet", "watch"] { try world.token(device: device) }
        #expect(try world.outcome("carol", "account.password", change) == "ok")
        #expect(try world.tokenHashes().count == 3)
        let wrong = #"{"old":"correct horse","new":"third horse","endOthers":true}"#
        #expect(try world.outcome("carol", "account.password", wrong) == "wrong-credentials")
        #expect(try world.tokenHashes().count == 3)
        let other = #"{"old":"another horse","new":"third horse","endOthers":true}"#
        let reply = try world.ask("carol", "account.password", other)
        #expect(reply["result"]?["ended"] == .number(2))
        #expect(try Array(world.tokenHashes().keys) == ["phone"])
    }

    @Test func `A password change does not log out the phone that sends an SOS`() throws {
        let world = try worldWithCarol()
        for device in ["tablet", "watch"] { try world.token(device: device) }
        try world.fix("carol/watch", TestFix(0))
        #expect(try world.outcome("carol/watch", "sos.trigger") == "ok")
        let change = #"{"old":"correct horse","new":"another horse","endOthers":true}"#
        let result = try world.ask("carol/tablet", "account.password", change)["result"]
        #expect(result?["ended"] == .number(1))
        #expect(result?["kept"]?.elements.map(\.text) == ["watch"])
        #expect(try world.tokenHashes().keys.sorted() == ["tablet", "watch"])
        // Its owner can revoke it by name: it may have been stolen.
        #expect(
            try world.outcome("carol/tablet", "device.revoke", #"{"device":"watch"}"#) == "ok")
    }

    @Test func `A repeated id is the same request, during and after processing`() throws {
        let world = try worldWithCarol()
        world.worksOnPasswords = false
        let message = world.requestMessage("carol", "account.password", change)
        #expect(try world.turn([message, message]).isEmpty)
        #expect(try world.turn([message]).isEmpty)
        let first = try world.workOnPasswords().filter { $0.topic.hasSuffix("/replies") }
        #expect(first.map { JSONValue.read($0.payload).outcome } == ["ok"])
        let again = try world.turn([message]).filter { $0.topic.hasSuffix("/replies") }
        #expect(again.map(\.payload) == first.map(\.payload))
        #expect(world.engine.takeWork(PasswordWork.self).isEmpty)
    }

    @Test func `A repeated request without an id is a new request`() throws {
        let world = try worldWithCarol()
        let payload = #"{"old":"correct horse","new":"another horse"}"#
        #expect(try world.outcome("carol", "account.password", payload) == "ok")
        #expect(try world.outcome("carol", "account.password", payload) == "wrong-credentials")
    }

    @Test(arguments: [
        (#"{"old":"wrong horse","new":"another horse"}"#, "wrong-credentials"),
        (
            #"{"old":"correct horse","new":"short"}"#,
            "invalid: new must have at least 8 characters"
        ),
        ("{}", "invalid: old is missing; new is missing"),
    ])
    func `An invalid password change is rejected`(_ payload: String, _ words: String) throws {
        let world = try worldWithCarol()
        #expect(try world.outcome("carol", "account.password", payload) == words)
        #expect(try world.logIn().outcome == "ok")
    }

    @Test func `The new password must not be the user name`() throws {
        let world = try World()
        try world.register(["username": #""carol-123""#])
        try world.operate(
            .setToken(
                user: "carol-123", device: "phone", hash: [UInt8](repeating: 1, count: 32),
                speaksOwnTracks: false))
        #expect(
            try world.outcome(
                "carol-123/phone", "account.password",
                #"{"old":"correct horse","new":"Carol-123"}"#)
                == "invalid: new must not be the user name")
    }

    @Test func `A user without a password cannot change it`() throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "account.password", change) == "wrong-credentials")
    }

    @Test func `A password change lost in a restart can be requested again`() throws {
        let world = try worldWithCarol()
        world.worksOnPasswords = false
        try world.turn([world.requestMessage("carol", "account.password", change)])
        try world.restart()
        #expect(world.engine.takeWork(PasswordWork.self).isEmpty)
        world.worksOnPasswords = true
        #expect(try world.outcome("carol", "account.password", change) == "ok")
    }

    // MARK: Deleting

    @Test func `Deleting an account requires its password`() throws {
        let world = try worldWithCarol()
        #expect(
            try world.outcome("carol", "account.delete", #"{"password":"wrong horse"}"#)
                == "wrong-credentials")
        #expect(try world.outcome("carol", "account.delete") == "invalid: password is missing")
        #expect(try world.count("users", where: "name = 'carol'") == 1)
        let reply = try world.ask(
            "carol", "account.delete", #"{"id":1,"password":"correct horse"}"#)
        #expect(reply["result"]?["deleted"] != nil)
        #expect(try world.count("users", where: "name = 'carol'") == 0)
        #expect(try world.count("replies", where: "device_id NOT IN (SELECT id FROM devices)") == 0)
        #expect(try world.logIn().outcome == "wrong-credentials")
        // The address is free again, but the name is not.
        #expect(try world.register() == "invalid: username is taken")
        #expect(try world.register(["username": #""caroline""#]) == "ok")
    }

    @Test func `A user deleted before the password check gets no reply`() throws {
        let world = try worldWithCarol()
        world.worksOnPasswords = false
        try world.turn([world.requestMessage("carol", "account.password", change)])
        try world.operate(.removeUser("carol"))
        #expect(try world.workOnPasswords().isEmpty)
    }
}

extension JSONValue {
    /// The members that are strings.
    var members: [String: String] {
        guard case .object(let members) = self else { return [:] }
        var found: [String: String] = [:]
        for member in members { found[member.key] = member.value.text }
        return found
    }
}

import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Links that admit their holders to a group.
struct LinkTests {
    private func get(_ token: String) -> String { #"{"token":"\#(token)"}"# }

    @Test func `A guest sees the inviter and the group, registers and joins`() throws {
        let world = try World.withFamily()
        let (token, _) = try world.link()
        let seen = try world.askAsGuest("invitation.get", get(token))["result"]
        #expect(seen?["name"]?.text == "Family")
        #expect(seen?["inviter"]?.text == "Alice")
        #expect(seen?["members"] == .number(2))
        #expect(seen?["group"] == nil)
        #expect(seen?["observers"]?.elements.isEmpty == true)
        try world.register()
        _ = try world.token()
        #expect(try world.accept("carol", token) == "ok")
        #expect(world.members() == ["alice", "bob", "carol"])
        // Alice is notified, and the link is used up.
        let told = try world.ask("alice", "notice.list")["result"]?["notices"]?.elements.first
        #expect(told?["kind"]?.text == "added-to-group")
        #expect(told?["user"]?.text == "carol")
        #expect(told?["by"]?.text == "carol")
        #expect(
            try world.askAsGuest("invitation.get", get(token)).outcome == "invitation-over")
        // Carol sees where it led.
        let own = try world.ask("carol", "invitation.get", get(token))["result"]
        #expect(own?["group"]?.text == world.names["family"].text)
        #expect(try world.accept("carol", token) == "ok")
    }

    @Test func `An invitation lists the observers of its group`() throws {
        let world = try World.withFamily()
        let (token, _) = try world.link()
        for name in ["Home", "Hall display"] {
            let create = #"{"group":"$family","name":"\#(name)"}"#
            #expect(try world.outcome("bob", "observer.create", create) == "ok")
        }
        let observers = try world.askAsGuest("invitation.get", get(token))["result"]?["observers"]
        #expect(observers?.elements.compactMap(\.text) == ["Home", "Hall display"])
    }

    @Test func `The receipt of a deleted account counts its invitations`() throws {
        let world = try World.withFamily()
        _ = try world.link()
        _ = try world.link()
        _ = try world.link("bob")
        let reply = try world.operate(.removeUser("alice"))
        #expect(reply[0]["result"]?["deleted"]?["invitations"]?.integer == 2)
    }

    @Test func `A link token is long, returned once and stored nowhere`() throws {
        let world = try World.withFamily()
        let request = #"{"id":"1","group":"$family"}"#
        let result = try #require(try world.ask("alice", "group.invite", request)["result"])
        let token = try #require(result["token"]?.text)
        // 43 characters of base64 are 256 bits.
        #expect(token.utf8.count == 43)
        #expect(result["path"]?.text == "/#/invitation/\(token)")
        let again = try #require(try world.ask("alice", "group.invite", request)["result"])
        #expect(again["invitation"] == result["invitation"])
        #expect(again["token"] == nil)
        #expect(again["path"] == nil)
        for (table, column) in [
            ("replies", "payload"), ("outbox", "payload"), ("invitations", "token_hash"),
        ] {
            let condition = TestDatabase.bytes(of: column, include: token)
            #expect(try world.count(table, where: condition) == 0, "\(table)")
        }
        #expect(
            try world.count(
                "replies", where: TestDatabase.bytes(of: "payload", include: "expiresAt")) == 1)
    }

    @Test func `Every invalid token gets the same answer`() throws {
        let world = try World.withNeighbours()
        let (token, _) = try world.link()
        let forged = "A" + token.dropFirst().dropLast() + "A"
        let wrong = [
            forged == token ? "B" + token.dropFirst() : forged, String(token.dropLast()), "", "x",
            token + "A", String(repeating: "A", count: 43), String(repeating: "é", count: 1_000),
        ]
        var answers: Set<String> = []
        for (number, bad) in wrong.enumerated() {
            let guest = try world.askAsGuest("invitation.get", get(bad), from: "mosq-\(number)")
            let user = try world.ask("dave", "invitation.accept", get(bad))
            for reply in [guest, user] {
                let problem = reply["problem"]
                answers.insert(
                    "\(problem?["type"]?.text ?? "?") \(problem?["detail"]?.text ?? "?")")
            }
            world.sleep(.seconds(1000))
        }
        #expect(
            answers == ["urn:kith:problem:unknown-invitation There is no such invitation."])
        #expect(try world.accept("dave", token) == "ok")
    }

    @Test func `An ended link states the reason to its holder`() throws {
        let world = try World.withNeighbours()
        let (used, _) = try world.link("alice", "family", #","uses":2"#)
        let (revoked, id) = try world.link()
        let soon = (world.now + .seconds(3600)).milliseconds
        let (expired, _) = try world.link("alice", "family", #","expires":\#(soon)"#)
        #expect(try world.accept("dave", used) == "ok")
        #expect(try world.accept("carol", used) == "ok")
        // Any member of the group can withdraw it.
        let revoke = #"{"group":"$family","invitation":"\#(id)"}"#
        #expect(try world.outcome("bob", "invitation.revoke", revoke) == "ok")
        world.sleep(.seconds(3600))
        try world.addUsers("erin")
        #expect(try world.accept("erin", used) == "It has been used. Ask for a new one.")
        #expect(try world.accept("erin", revoked) == "It has been withdrawn. Ask for a new one.")
        #expect(try world.accept("erin", expired) == "It has expired. Ask for a new one.")
        #expect(!world.members().contains("erin"))
        // After a month they are forgotten.
        world.sleep(.seconds(31 * 86_400))
        try world.sweep()
        #expect(try world.accept("erin", expired) == "unknown-invitation")
    }

    @Test func `An invitation lasts a week, or the requested time within bounds`() throws {
        let world = try World.withFamily()
        func end(_ more: String) throws -> JSONValue {
            try world.ask("alice", "group.invite", #"{"group":"$family"\#(more)}"#)
        }
        let usual = try end("")["result"]?["expiresAt"]?.text
        #expect(usual == (world.now + .seconds(7 * 86_400)).rfc3339)
        let bounds: [(Int64, Bool)] = [
            (59, false), (60, true), (30 * 86_400, true), (30 * 86_400 + 1, false), (-1, false),
        ]
        for (seconds, isFine) in bounds {
            let time = (world.now + .seconds(seconds)).milliseconds
            #expect((try end(#","expires":\#(time)"#).outcome == "ok") == isFine)
        }
        for uses in ["0", "101", "1.5", #""2""#] {
            #expect(try end(#","uses":\#(uses)"#).outcome.hasPrefix("invalid: uses"))
        }
        #expect(
            try end(#","user":"carol","uses":2"#).outcome
                == "invalid: uses must be 1 for one person")
    }

    @Test func `Guessing tokens is throttled per user and per source only`() throws {
        let world = try World.withNeighbours()
        let (token, _) = try world.link("alice", "family", #","uses":9"#)
        for _ in 1...5 { #expect(try world.accept("dave", "x") == "unknown-invitation") }
        #expect(try world.accept("dave", "x") == "too-many-attempts")
        #expect(try world.accept("dave", token) == "too-many-attempts")
        #expect(try world.accept("carol", token) == "ok")
        world.sleep(.seconds(1))
        #expect(try world.accept("dave", token) == "ok")

        for (guest, address) in [("mosq-1", "192.0.2.1"), ("mosq-2", "192.0.2.2")] {
            let client = try #require(ClientID(guest))
            try world.report(.connected(.guest(client, address: address)))
        }
        for _ in 1...5 { _ = try world.askAsGuest("invitation.get", get("x")) }
        func look(_ guest: String) throws -> String {
            try world.askAsGuest("invitation.get", get(token), from: guest).outcome
        }
        #expect(try look("mosq-1") == "too-many-attempts")
        #expect(try look("mosq-2") == "ok")
    }

    // MARK: Who cannot join by a link

    @Test func `Removing a member ends the group's links`() throws {
        let world = try World.withNeighbours()
        let (token, _) = try world.link("alice", "family", #","uses":100"#)
        let (other, _) = try world.link("alice", "work")
        #expect(try world.accept("dave", token) == "ok")
        let remove = #"{"group":"$family","user":"dave"}"#
        #expect(try world.outcome("bob", "group.remove", remove) == "ok")
        // Neither by this account nor by another one.
        for person in ["dave", "carol"] as [Sender] {
            #expect(
                try world.accept(person, token) == "It has been withdrawn. Ask for a new one.")
        }
        #expect(try world.accept("dave", other) == "ok")
        #expect(try world.accept("dave", try world.link().token) == "ok")
    }

    @Test func `A leaving member's invitations end, but others' links still admit them`() throws {
        let world = try World.withNeighbours()
        let (token, _) = try world.link("alice", "family", #","uses":100"#)
        let (bobs, _) = try world.link("bob", "family", #","uses":100"#)
        _ = try world.ask("bob", "group.invite", #"{"group":"$family","user":"dave"}"#)
        #expect(try world.invitations(for: "dave") == ["bob to Family"])
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
        #expect(try world.accept("dave", bobs) == "It has been withdrawn. Ask for a new one.")
        #expect(try world.invitations(for: "dave") == [])
        #expect(try world.accept("bob", token) == "ok")
    }

    @Test func `A user whom the inviter has blocked cannot join by their link`() throws {
        let world = try World.withNeighbours()
        let (token, _) = try world.link("alice", "family", #","uses":100"#)
        #expect(try world.outcome("alice", "friend.block", #"{"user":"dave"}"#) == "ok")
        #expect(try world.accept("dave", token) == "unknown-invitation")
        #expect(try world.accept("carol", token) == "ok")
    }

    @Test func `Other users cannot accept, decline, withdraw or list an invitation`() throws {
        let world = try World.withNeighbours()
        _ = try world.ask("alice", "group.invite", #"{"group":"$family","user":"dave"}"#)
        let id = try #require(try world.received("dave").first?["invitation"]?.text)
        let choice = #"{"invitation":"\#(id)"}"#
        for method in ["invitation.accept", "invitation.decline"] {
            #expect(try world.outcome("carol", method, choice) == "unknown-invitation")
        }
        let revoke = #"{"group":"$choir","invitation":"\#(id)"}"#
        #expect(try world.outcome("bob", "invitation.revoke", revoke) == "unknown-invitation")
        #expect(
            try world.outcome("carol", "invitation.list", #"{"group":"$family"}"#)
                == "not-a-member")
        #expect(
            try world.outcome("dave", "group.invite", #"{"group":"$family"}"#) == "not-a-member")
        #expect(try world.outcome("dave", "invitation.accept", choice) == "ok")
    }

    // MARK: Emergencies and ends

    @Test func `Accepting an invitation during an SOS alerts the new group`() throws {
        let world = try World.withNeighbours()
        try world.fix("dave", TestFix(7))
        try world.addGroup("Club", "dave")
        #expect(try world.outcome("dave", "sos.trigger") == "ok")
        let (token, _) = try world.link()
        world.sleep(.seconds(30))
        _ = world.published()
        #expect(try world.accept("dave", token) == "ok")
        let alerts = world.published().filter { $0.topic.hasSuffix("/alerts") }
            .map { JSONValue.read($0.payload) }
        #expect(alerts.map { $0["kind"]?.text } == ["sos"])
        #expect(alerts.first?["group"]?.text == world.names["family"].text)
        #expect(world.state(of: "dave")["state"]?.text == "sos")
    }

    @Test func `Erasing a user removes invitations by and to them, with their notices`() throws {
        let world = try World.withNeighbours()
        let (token, _) = try world.link("alice", "family", #","uses":100"#)
        _ = try world.ask("alice", "group.invite", #"{"group":"$family","user":"dave"}"#)
        _ = try world.ask("bob", "group.invite", #"{"group":"$family","user":"dave"}"#)
        try world.pass(.seconds(1))
        try world.operate(.removeUser("dave"))
        #expect(try world.openInvitations() == ["link by alice"])
        try world.pass(.seconds(60))
        #expect(try world.count("invitations", where: "invitee = 'dave'") == 0)
        try world.operate(.removeUser("alice"))
        #expect(try world.accept("carol", token) == "unknown-invitation")
        try world.pass(.seconds(60))
        #expect(try world.count("invitations") == 0)
        #expect(try world.count("notices", where: "kind = 'invited-to-group'") == 0)
    }
}

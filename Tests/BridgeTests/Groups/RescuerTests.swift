import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Only the person in danger can end an SOS, and no one else can remove helpers from it.
struct RescuerTests {
    private let refused = "already-in-sos"

    /// Alice, who shares the Family with Bob and Work with Carol, has called for help.
    private func world() throws -> World {
        let world = try World.withNeighbours()
        try world.fix("alice", TestFix(7))
        #expect(try world.outcome("alice", "sos.trigger") == "ok")
        _ = world.published()
        return world
    }

    private func member(_ group: String, _ user: String) -> String {
        #"{"group":"$\#(group)","user":"\#(user)"}"#
    }

    private func told(_ publications: [Publication]) -> [JSONValue] {
        publications.filter { $0.topic.hasSuffix("/alerts") }.map { .read($0.payload) }
    }

    // MARK: Removing

    @Test func `Members cannot remove a person in an SOS or that person's helpers`() throws {
        let world = try world()
        try world.operate(.addMember(world.names["family"], "dave"))
        for (sender, user) in [("bob", "alice"), ("bob", "dave"), ("dave", "bob")] {
            let request = member("family", user)
            #expect(try world.outcome(Sender(sender), "group.remove", request) == refused)
        }
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        // Carol's and Bob's Choir is not involved.
        #expect(try world.outcome("bob", "group.remove", member("choir", "carol")) == "ok")
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(try world.outcome("bob", "group.remove", member("family", "alice")) == "ok")
    }

    @Test func `A person in an SOS can remove others unless another member is in one`() throws {
        let world = try world()
        try world.operate(.addMember(world.names["family"], "dave"))
        #expect(try world.outcome("alice", "group.remove", member("family", "dave")) == "ok")
        #expect(try world.outcome("bob", "sos.trigger") == "ok")
        for (sender, user) in [("alice", "bob"), ("bob", "alice")] {
            let request = member("family", user)
            #expect(try world.outcome(Sender(sender), "group.remove", request) == refused)
        }
    }

    @Test func `Helpers can leave the group`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "group.leave", #"{"group":"$family"}"#) == "ok")
    }

    @Test func `The operator cannot remove a person in an SOS from their last group`() throws {
        let world = try world()
        let replies = try world.operate(
            .removeMember(world.names["family"], "alice"),
            .removeMember(world.names["work"], "alice"))
        #expect(replies.map(\.outcome) == ["ok", refused])
        #expect(world.state(of: "alice", in: "work")["state"]?.text == "sos")
    }

    // MARK: Leaving

    @Test func `Leaving a group in an SOS alerts it, and the last group cannot be left`() throws {
        let world = try world()
        world.sleep(.seconds(5))
        let leave = #"{"group":"$family"}"#
        #expect(try world.outcome("alice", "group.leave", leave) == "ok")
        let alerts = told(world.published())
        #expect(alerts.map { $0["kind"]?.text } == ["sos-left"])
        #expect(alerts.first?["group"]?.text == world.names["family"].text)
        #expect(
            alerts.first?["text"]?.text
                == "Alice has left the group during an SOS, which is still active.")
        let listed = try world.ask("bob", "alert.list", leave)["result"]?["alerts"]?.elements ?? []
        #expect(listed.first?["kind"]?.text == "sos-left")

        for method in ["group.leave", "group.remove"] {
            let last = member("work", "alice")
            #expect(try world.outcome("alice", method, last) == refused)
        }
        #expect(world.state(of: "alice", in: "work")["state"]?.text == "sos")
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        #expect(try world.outcome("alice", "group.leave", #"{"group":"$work"}"#) == "ok")
    }

    // MARK: Joining

    @Test func `An SOS alerts a new group and a group to which a helper adds the person`() throws {
        let world = try world()
        try world.letAdd("bob", "alice")
        world.sleep(.seconds(30))
        #expect(try world.outcome("alice", "group.create", #"{"name":"Rescue"}"#) == "ok")
        #expect(told(world.published()).map { $0["kind"]?.text } == ["sos"])
        #expect(world.state(of: "alice", in: "rescue")["state"]?.text == "sos")

        #expect(try world.outcome("bob", "group.add", member("choir", "alice")) == "ok")
        let alerts = told(world.published())
        #expect(alerts.map { $0["kind"]?.text } == ["sos"])
        #expect(alerts.first?["group"]?.text == world.names["choir"].text)
        #expect(alerts.first?["fix"]?.fixMeters == 7)
        #expect(world.state(of: "alice", in: "choir")["state"]?.text == "sos")
        try world.fix("alice", TestFix(70))
        #expect(world.segments(of: "alice", in: "choir").last?.segmentMeters.last == 70)
    }

    @Test func `A stranger who adds a person in an SOS to a group learns nothing of it`() throws {
        let world = try world()
        try world.letAdd("dave", "alice")
        #expect(try world.outcome("dave", "group.create", #"{"name":"Trap"}"#) == "ok")
        _ = world.published()
        #expect(try world.outcome("dave", "group.add", member("trap", "alice")) == "ok")
        #expect(told(world.published()).isEmpty)
        let state = world.state(of: "alice", in: "trap")
        #expect(state["state"]?.text == "inactive")
        #expect(state["fix"] == .null)
        #expect(world.segments(of: "alice", in: "trap").isEmpty)
    }

    @Test func `A group that joined an SOS later is alerted to its end after a restart`() throws {
        let world = try world()
        try world.letAdd("bob", "alice")
        try world.ask("bob", "group.add", member("choir", "alice"))
        try world.restart()
        _ = world.published()
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        let groups = Set(told(world.published()).compactMap { $0["group"]?.text })
        #expect(groups == Set(["family", "work", "choir"].map { world.names[$0].text }))
    }

    // MARK: The end of an account

    @Test(arguments: [false, true])
    func `Deleting an account alerts its groups only in an SOS, and without its name`(
        _ isInSOS: Bool
    ) throws {
        let world = try World.withNeighbours()
        if isInSOS { #expect(try world.outcome("alice", "sos.trigger") == "ok") }
        _ = world.published()
        try world.operate(.removeUser("alice"))
        let alerts = told(world.published())
        #expect(
            alerts.map { $0["kind"]?.text }
                == (isInSOS ? ["sos-account-deleted", "sos-account-deleted"] : []))
        #expect(alerts.allSatisfy { $0["user"] == nil && $0["name"] == nil })
        #expect(try world.count("outbox", where: "CAST(payload AS TEXT) LIKE '%lice%'") == 0)
    }

    // MARK: Journeys

    @Test func `A removal notice states whether it ends the journey`() throws {
        let world = try World.withNeighbours()
        let journey =
            #"{"groups":"all","destination":{"latitude":46.5,"longitude":14.5},"#
            + #""eta":"\#((world.now + .seconds(3600)).rfc3339)"}"#
        #expect(try world.outcome("alice", "journey.start", journey) == "ok")
        var ends: [Bool?] = []
        for (remover, group) in [("bob", "family"), ("carol", "work")] {
            _ = world.published()
            try world.ask(Sender(remover), "group.remove", member(group, "alice"))
            let sent = world.published()
            #expect(told(sent).map { $0["kind"]?.text } == ["journey-stopped"])
            let notice = try #require(sent.first { $0.topic == "kith/users/alice/notices" })
            ends.append(JSONValue.read(notice.payload)["endsJourney"] == .bool(true))
        }
        #expect(ends == [false, true])
    }
}

import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A removed user leaves nothing behind, and nothing of other users is deleted.
struct ErasureTests {
    private static let names: [Name] = ["alice", "bob", "carol"]

    /// Each user does a bit of everything; without the absent user, the others do the same.
    private func world(without absent: Name? = nil) throws -> World {
        let world = try World()
        let present = Self.names.filter { $0 != absent }
        for name in present { try world.addUsers(name) }
        let family = try world.operate(
            .createGroup(try DisplayName("Family"), firstMember: present[0]))
        let key = try #require(GroupKey(family[0]["result"]?["group"]?.text ?? ""))
        try world.operate(present.dropFirst().map { .addMember(key, $0) })
        for name in present {
            let phone = Sender(name.text)
            for number in 0..<70 {
                world.sleep(.seconds(5))
                try world.fix(phone, TestFix(number, seq: Int64(number)))
            }
            try world.fix(Sender("\(name)/watch"), TestFix(1))
            try world.ask(phone, "sos.trigger", #"{"id":1}"#)
            world.sleep(.seconds(5))
            try world.fix(phone, TestFix(99))
            try world.ask(phone, "sos.stop", #"{"id":2}"#)
            for (other, method) in [("alice", "share"), ("bob", "share"), ("carol", "block")]
            where other != name.text && other != absent?.text {
                let user = "{\"user\":\"\(other)\"}"
                if method == "block" {
                    try world.ask(phone, "friend.block", user)
                } else {
                    try world.ask(phone, "friend.add", user)
                    try world.ask(phone, "friend.share", #"{"with":"all"}"#)
                }
            }
        }
        return world
    }

    @Test(arguments: [0, 1, 2])
    func `Erasure leaves the tables as if the user had never existed`(_ index: Int) throws {
        let name = Self.names[index]
        let (world, other) = (try world(), try world(without: name))
        let reply = try world.operate(.removeUser(name))
        #expect(reply[0]["result"]?["deleted"]?["fixes"]?.integer == 72)
        // The notes that a member joined and left stay in the chat.
        let nobody = "user_id IS NULL"
        #expect(try world.count("chat_messages", where: "\(nobody) AND text IS NULL") == 2)
        var counts = try world.tableCounts()
        counts["chat_messages"]? -= 2
        #expect(try counts == other.tableCounts())
        #expect(try !world.hasDanglingReferences())
        let left = world.retained.keys.filter {
            $0.contains("/\(name)") && world.topics.parse($0) != nil
        }
        #expect(left == [])
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        #expect(try world.twin().corrections(of: world.retained).isEmpty)
    }

    @Test func `Erasing a user removes their acknowledgements but not others' alerts`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "sos.trigger")
        let payload = #"{"alert":"\#(world.names.lastAlert)"}"#
        #expect(try world.outcome("bob", "alert.acknowledge", payload) == "ok")
        try world.operate(.removeUser("bob"))
        #expect(try world.count("acknowledgements") == 0)
        let alerts = try world.ask("alice", "alert.list", #"{"group":"$family"}"#)
        let alert = try #require(alerts["result"]?["alerts"]?.elements.first)
        #expect(alert["acknowledgedBy"] == .array([]))
        try world.operate(.removeUser("alice"))
        #expect(try world.tableCounts().filter { $0.value > 0 } == [:])
    }

    @Test func `Retained messages of a removed user's devices are cleared`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice's app at 1 m")
        _ = world.published()
        try world.operate(.removeUser("alice"))
        let cleared = world.published().filter { $0.payload.isEmpty && $0.retain }.map(\.topic)
        #expect(
            Set(cleared).isSuperset(of: [
                "kith/users/alice/groups", "kith/users/alice/devices/phone/status",
                "kith/users/alice/devices/app/status",
            ]))
    }

    @Test func `Messages of a removed user are rejected`() throws {
        let world = try World.withFamily()
        try world.operate(.removeUser("alice"))
        _ = world.published()
        try world.fix("alice", TestFix(1))
        let told = world.published().map { JSONValue.read($0.payload)["problem"]?.problemWords }
        #expect(told == ["unknown-user"])
        #expect(try world.count("fixes") == 0)
    }

    @Test func `A new user inherits nothing from an erased one`() throws {
        let world = try world()
        let before = world.retained
        try world.operate(.removeUser("carol"))
        try world.restart()
        // As in a database from before numbers were assigned only once.
        try world.reuseNumbers()
        try world.addUsers("dave")
        try world.operate(.addMember(world.names["family"], "dave"))
        #expect(world.state(of: "dave")["fix"] == .null)
        #expect(world.state(of: "dave")["state"]?.text == "inactive")
        #expect(world.segments(of: "dave").isEmpty)
        try world.fix("dave", TestFix(5, seq: 9))
        #expect(
            world.published().last.map { JSONValue.read($0.payload)["seq"]?.integer } == 9)
        // The same request id from another device is another request.
        #expect(try world.outcome("dave", "sos.trigger", #"{"id":1}"#) == "ok")
        for name: Name in ["alice", "bob"] {
            let topic = world.topics.string(.member(world.names["family"], name))
            #expect(world.retained[topic] == before[topic])
        }
    }

    /// The newest fixes of all were the removed user's: row ids of fixes are not reused.
    @Test func `A fix received after a removal and a restart survives the next restart`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        for number in 0..<40 {
            world.sleep(.seconds(5))
            try world.turn([
                world.fixMessage("bob", TestFix(number)),
                world.fixMessage("bob/watch", TestFix(number)),
            ])
        }
        try Script.play(in: world, "10:05:00 alice stops sharing with all & alice shares with all")
        try world.operate(.removeUser("bob"))
        try world.restart()
        world.sleep(.seconds(5))
        let fix = world.fixMessage("alice", TestFix(77, seq: 1))
        try world.turn([fix])
        try world.restart()
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 77)
        try world.turn([fix])
        #expect(try world.count("fixes") == 1)
    }

    @Test func `A removed user's name is never assigned again`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice triggers SOS\n10:00:01 alice at 5 m")
        let again = OperatorCommand.addUser(
            "alice", displayName: "Alice", email: nil, ownTracksPublishIsSOS: false)
        let refusals = [
            "invalid: user belonged to a deleted account; such names are not reused"
        ]
        let answers = try world.operate(.removeUser("alice"), again)
        #expect(answers.dropFirst().map(\.outcome) == refusals)
        #expect(try world.operate(again).map(\.outcome) == refusals)
        try world.restart()
        #expect(try world.operate(again).map(\.outcome) == refusals)
        #expect(
            try world.register(["username": #""alice""#]) == "invalid: username is taken")
        #expect(try world.register(["username": #""alicia""#]) == "ok")
        #expect(world.state(of: "alice") == .null)
        #expect(try world.count("fixes") == 0)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }
}

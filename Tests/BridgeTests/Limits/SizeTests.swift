import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing

@testable import Bridge

/// A packet beyond the broker's limit ends the bridge's connection, and would be sent again on the
/// next one: no input may lead to one. `World` checks every publication.
struct SizeTests {
    @Test(arguments: [
        "[" + Array(repeating: "{}", count: 1000).joined(separator: ",") + "]",
        "[" + Array(repeating: #"{"latitude":"","seq":1}"#, count: 1000).joined(separator: ",")
            + "]",
        String(repeating: "[", count: 60_000), String(repeating: "\u{1}", count: 60_000),
    ])
    func `A rejection of a bad message never exceeds the payload limit`(_ payload: String) throws {
        let world = try World.withFamily()
        try world.send(world.fixMessage("alice", payload))
        let rejection = try #require(world.published().last { $0.topic.hasSuffix("/rejected") })
        #expect(JSONValue.read(rejection.payload)["problem"]?["errors"] != .array([]))
    }

    @Test func `The rejection of a thousand bad OwnTracks locations fits into a payload`() throws {
        let world = try World.withFamily()
        let location = #"{"_type":"location"}"#
        let payload = Array(repeating: location, count: 1000).joined(separator: ",")
        try world.send(world.ownTracks("alice/app", "[\(payload)]"))
        #expect(world.published().contains { $0.topic.hasSuffix("/rejected") })
    }

    @Test(arguments: ["\"", "a", "\u{1}", "é"])
    func `A rejection truncates a topic that is too long`(_ character: String) throws {
        let world = try World.withFamily()
        let start = "kith/users/alice/devices/phone/"
        let count = (65_535 - start.utf8.count) / character.utf8.count
        let topic = start + String(repeating: character, count: count)
        try world.send(Message(topic: topic, payload: [], packetID: 1))
        let rejection = try #require(world.published().last { $0.topic.hasSuffix("/rejected") })
        let told = try #require(JSONValue.read(rejection.payload)["topic"]?.text)
        #expect(told.hasPrefix(start))
        #expect(told.utf8.count < 1000)
    }

    @Test func `A rejection lists the first 16 errors and the total`() throws {
        let world = try World.withFamily()
        let payload = Array(repeating: "{}", count: 40).joined(separator: ",")
        try world.send(world.fixMessage("alice", "[\(payload)]"))
        let rejection = try #require(world.published().last { $0.topic.hasSuffix("/rejected") })
        let problem = try #require(JSONValue.read(rejection.payload)["problem"])
        let errors = try #require(problem["errors"]?.elements)
        #expect(errors.first?["field"]?.text == "[0].latitude")
        #expect(errors.count == 16)
        #expect(problem["detail"]?.text?.hasSuffix("; 40 were rejected in total.") == true)
    }
}

/// Answers about groups of hundreds of people with long names.
struct LargeGroupTests {
    /// A group with `members` users, the first of whom is `u1000`; their display names are as many
    /// bytes as emoji allow.
    private func world(members: Int) throws -> World {
        let world = try World()
        let users = try (0..<members).map { try #require(Name("u\(1000 + $0)")) }
        try world.operate(users.map { add($0) })
        try world.operate(.createGroup(try DisplayName("Club"), firstMember: users[0]))
        let club = world.names["club"]
        try world.operate(users.dropFirst().map { .addMember(club, $0) })
        return world
    }

    private func add(_ user: Name) -> OperatorCommand {
        .addUser(
            user, displayName: String(repeating: "\u{1F468}", count: 64), email: nil,
            ownTracksPublishIsSOS: false)
    }

    @Test func `A member list too large for a reply is paged, each member once`() throws {
        let world = try world(members: 180)
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let more = cursor.map { #","cursor":"\#($0)""# } ?? ""
            let reply = try world.ask("u1000", "members.get", #"{"group":"$club"\#(more)}"#)
            let page = try #require(reply["result"]?["members"]?.elements)
            #expect(page.count < 180)
            found += page.compactMap { $0["user"]?.text }
            cursor = reply["result"]?["next"]?.text
        } while cursor != nil
        #expect(found == (0..<180).map { "u\(1000 + $0)" })
        #expect(try world.outcome("u1000", "group.list") == "ok")
    }

    @Test func `A group rejects new members when its message would be too large`() throws {
        let world = try world(members: 180)
        let names = try (0..<100).map { try #require(Name("v\(1000 + $0)")) }
        try world.operate(names.map { add($0) })
        for name in names { try world.letAdd("u1000", name) }
        let outcomes = try names.map {
            try world.outcome("u1000", "group.add", #"{"group":"$club","user":"\#($0)"}"#)
        }
        #expect(Set(outcomes) == ["ok", "too-many"])
        let size = try #require(world.retained["kith/groups/\(world.names["club"])"]).count
        #expect((60_000...65_536).contains(size))
    }

    @Test func `A list of a hundred alerts too large for a reply is paged`() throws {
        let world = try world(members: 2)
        for _ in 0..<50 {
            try world.ask("u1000", "sos.trigger")
            world.sleep(.seconds(1))
            try world.ask("u1000", "sos.stop")
        }
        var (found, before): ([String], String?) = ([], nil)
        repeat {
            let more = before.map { #","before":"\#($0)""# } ?? ""
            let reply = try world.ask(
                "u1000", "alert.list", #"{"group":"$club","limit":100\#(more)}"#)
            let page = try #require(reply["result"]?["alerts"]?.elements)
            #expect(page.count < 100)
            found += page.compactMap { $0["id"]?.text }
            before = reply["result"]?["next"]?.text
        } while before != nil
        #expect(found.count == 100)
        #expect(found == found.sorted(by: >))
    }
}

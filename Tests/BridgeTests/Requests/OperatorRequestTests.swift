import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The operator's requests over MQTT.
struct OperatorRequestTests {
    /// Sends a request of the operator and returns the reply.
    private func ask(_ world: World, _ method: String, _ payload: String = "") throws -> JSONValue {
        let request = world.message(.operatorRequest(method: method), payload)
        let replies = try world.turn([request]).filter { $0.topic == "kith/operator/replies" }
        #expect(replies.count == 1, "\(method)")
        return replies.first.map { .read($0.payload) } ?? .null
    }

    @Test func `The user list is paged by name, with devices and groups but no positions`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol", "albert")
        try world.fix("alice", TestFix(0))
        var names: [String] = []
        var following: String? = ""
        while let after = following {
            let next = after.isEmpty ? "" : #","after":"\#(after)""#
            let page = try ask(world, "user.list", #"{"limit":3\#(next)}"#)
            names += page["result"]?["users"]?.elements.compactMap { $0["user"]?.text } ?? []
            following = page["result"]?["next"]?.text
        }
        #expect(names == ["albert", "alice", "bob", "carol"])
        let found = try ask(world, "user.list", #"{"prefix":"al"}"#)["result"]?["users"]?.elements
        #expect(found?.compactMap { $0["user"]?.text } == ["albert", "alice"])
        let alice = try #require(found?.last)
        #expect(alice["groups"]?.elements.count == 1)
        #expect(alice["devices"]?.elements.first?["device"]?.text == "phone")
        var json = JSONWriter()
        json.value(alice)
        #expect(!String(decoding: json.bytes, as: UTF8.self).contains("latitude"))
        let groups = try ask(world, "group.list")["result"]?["groups"]?.elements
        #expect(groups?.compactMap { $0["members"]?.integer } == [2])
    }

    @Test func `A user list too large for a reply is split into several pages`() throws {
        let world = try World()
        let users = (100..<140).compactMap { Name("user-\($0)") }
        try world.operate(
            users.map {
                .addUser($0, displayName: $0.text, email: nil, ownTracksPublishIsSOS: false)
            })
        for number in 0..<30 {
            let name = try DisplayName(String(repeating: "G", count: 30) + "\(number)")
            try world.operate(.createGroup(name, members: users))
        }
        var (found, pages, after) = ([String](), 0, "")
        repeat {
            let page = try ask(world, "user.list", #"{"limit":100,"after":"\#(after)"}"#)["result"]
            found += page?["users"]?.elements.compactMap { $0["user"]?.text } ?? []
            pages += 1
            after = page?["next"]?.text ?? ""
        } while !after.isEmpty && pages < 50
        #expect(found == users.map(\.text))
        #expect(pages > 1 && pages < 10)
    }

    @Test func `An operator request is performed and answered on its response topic`() throws {
        let world = try World()
        #expect(try ask(world, "user.add", #"{"user":"eve","name":"Eve"}"#).outcome == "ok")
        #expect(
            try ask(world, "user.add", #"{"user":"eve","name":"Eve"}"#).wrongFields == ["user"])
        #expect(try ask(world, "user.add", "{").outcome == "malformed")
        #expect(try ask(world, "user.add", #"{"user":"A/"}"#).outcome.hasPrefix("invalid"))
        #expect(try ask(world, "user.remove", #"{"user":"eve"}"#).outcome == "ok")
        var request = world.message(.operatorRequest(method: "user.list"), "")
        request.responseTopic = "kith/operator/replies/page"
        request.correlationData = [1, 2]
        let reply = try #require(try world.turn([request]).first)
        #expect(reply.topic == "kith/operator/replies/page" && reply.correlationData == [1, 2])
        request.responseTopic = "kith/users/eve/devices/phone/replies"
        #expect(try world.turn([request]).map(\.topic) == ["kith/operator/replies"])
    }

    @Test func `Requests that would let the operator act as a user are refused`() throws {
        let world = try World()
        try world.addUsers("alice")
        for method in ["user.token", "user.password", "user.totp", "sos.trigger", "nothing"] {
            #expect(try ask(world, method, #"{"user":"alice"}"#).outcome == "unknown-method")
        }
    }
}

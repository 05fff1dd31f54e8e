import Base64
import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

extension World {
    /// 64 × 64 pixels, as a page sends them.
    static var picture: String { Base64.encode([UInt8](repeating: 200, count: Avatar.size)) }
}

/// How others reach and recognise a user.
struct ProfileTests {
    private func account(_ world: World, _ payload: String) throws -> JSONValue? {
        world.sleep(.seconds(2))
        return try world.ask("alice", "account.update", payload)["result"]
    }

    @Test func `A phone number is shown only in an SOS unless its owner decides otherwise`() throws
    {
        let world = try World.withFamily()
        let set = try account(world, #"{"phone":"+386 (1) 234-567"}"#)
        #expect(set?["phone"]?.text == "+3861234567")
        #expect(set?["phoneShownTo"]?.text == "sos")
        #expect(world.state(of: "alice")["phone"] == nil)
        try world.ask("alice", "sos.trigger")
        #expect(world.state(of: "alice")["phone"]?.text == "+3861234567")
        // The retained state is unchanged; with another number it would be published again.
        try world.restart()
        #expect(world.state(of: "alice")["phone"]?.text == "+3861234567")
        try world.ask("alice", "sos.stop")
        #expect(world.state(of: "alice")["phone"] == nil)
        #expect(world.state(of: "alice")["state"]?.text == "active")
        _ = try account(world, #"{"phoneShownTo":"groups"}"#)
        #expect(world.state(of: "alice")["phone"]?.text == "+3861234567")
        let members = try world.ask("bob", "members.get", #"{"group":"$family"}"#)["result"]
        #expect(members?["members"]?.elements.first?["phone"]?.text == "+3861234567")
        #expect(try account(world, #"{"phone":null}"#)?["phone"] == nil)
        #expect(world.state(of: "alice")["phone"] == nil)
    }

    @Test func `A number removed during an SOS disappears immediately`() throws {
        let world = try World.withFamily()
        _ = try account(world, #"{"phone":"+3861234567"}"#)
        try world.ask("alice", "sos.trigger")
        _ = try account(world, #"{"phone":null}"#)
        #expect(world.state(of: "alice")["state"]?.text == "sos")
        #expect(world.state(of: "alice")["phone"] == nil)
    }

    @Test func `A picture is shown to groups and friends only`() throws {
        let world = try World.withFamily()
        try world.addUsers("carol", "dave")
        let digest = try account(world, #"{"avatar":"\#(World.picture)"}"#)?["avatar"]?.text
        #expect(digest?.count == 16)
        #expect(world.state(of: "alice")["avatar"]?.text == digest)
        // Friends have each other on their lists.
        for (one, other) in [("carol", "alice"), ("alice", "carol"), ("dave", "alice")] {
            try world.ask(Sender(one), "friend.add", #"{"user":"\#(other)"}"#)
        }
        let own = Avatar(pixels: [UInt8](repeating: 200, count: Avatar.size))
        for viewer in ["alice", "bob", "carol"] {
            let reply = try world.ask(Sender(viewer), "avatar.get", #"{"user":"alice"}"#)["result"]
            #expect(reply?["digest"]?.text == digest)
            #expect(reply?["avatar"]?.text.flatMap { Base64.decode($0) } == own?.png)
        }
        let friends = try world.ask("carol", "friend.list")["result"]?["friends"]
        #expect(friends?.elements.first?["avatar"]?.text == digest)
        // A stranger, a user without a picture and an unknown user look the same.
        var answers: Set<JSONValue?> = []
        for user in ["alice", "dave", "nobody"] {
            world.sleep(.seconds(1))
            let viewer: Sender = user == "dave" ? "alice" : "dave"
            let reply = try world.ask(viewer, "avatar.get", #"{"user":"\#(user)"}"#)
            answers.insert(reply["problem"])
        }
        #expect(answers.count == 1)
        #expect(try account(world, #"{"avatar":null}"#)?["avatar"] == nil)
        #expect(world.state(of: "alice")["avatar"] == nil)
        #expect(
            try world.outcome("bob", "avatar.get", #"{"user":"alice"}"#) == "unknown-user")
    }

    @Test func `Erasing a user deletes their number and picture`() throws {
        let world = try World.withFamily()
        _ = try account(world, #"{"phone":"+3861234567","avatar":"\#(World.picture)"}"#)
        try world.operate(.removeUser("alice"))
        #expect(try world.count("profiles") == 0)
    }
}

import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The result of each method when it succeeds.
struct ResultTests {
    /// The reply's result as JSON, with names in place of keys.
    private func result(
        _ world: World, _ sender: Sender, _ method: String, _ payload: String = ""
    ) throws -> String {
        let result = try #require(try world.ask(sender, method, payload)["result"])
        var json = JSONWriter()
        json.value(result)
        return world.names.shorten(String(decoding: json.bytes, as: UTF8.self))
    }

    @Test func `Group requests return the groups as retained`() throws {
        let world = try World.withFamily()
        try world.letAdd("alice", "bob")
        let created = try result(world, "alice", "group.create", #"{"name":" Choir "}"#)
        #expect(
            created
                == #"{"group":"$choir","name":"Choir","members":[{"user":"alice","name":"Alice"}]}"#
        )
        let added = try result(world, "alice", "group.add", #"{"group":"$choir","user":"bob"}"#)
        #expect(
            added == #"{"group":"$choir","name":"Choir","members":[{"user":"alice","#
                + #""name":"Alice"},{"user":"bob","name":"Bob"}]}"#)
        #expect(
            try result(world, "bob", "group.list")
                == #"{"groups":[{"group":"$family","name":"Family","role":"member"},"#
                + #"{"group":"$choir","name":"Choir","role":"member"}]}"#)
        #expect(
            try result(world, "bob", "group.rename", #"{"group":"$choir","name":"Band"}"#)
                .contains(#""name":"Band""#))
        #expect(
            try result(world, "bob", "group.remove", #"{"group":"$choir","user":"alice"}"#)
                == #"{"group":"$choir","name":"Band","members":[{"user":"bob","name":"Bob"}]}"#)
        #expect(try result(world, "bob", "group.leave", #"{"group":"$choir"}"#) == "{}")
    }

    @Test func `Sharing requests return the new states`() throws {
        let world = try World.withNeighbours()
        #expect(
            try result(world, "alice", "sharing.start", #"{"groups":["$work"]}"#)
                == #"{"states":[{"group":"$work","state":"active"}],"watchers":["carol"],"#
                + #""allWatchers":true}"#)
        #expect(
            try result(world, "alice", "sharing.stop", #"{"groups":"all"}"#)
                == #"{"states":[{"group":"$family","state":"inactive"},"#
                + #"{"group":"$work","state":"inactive"}]}"#)
    }

    @Test func `Member requests return the states as retained`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 bob shares with all\n10:00:01 bob at 5 m")
        let members = try #require(
            try world.ask("alice", "members.get", #"{"group":"$family"}"#)["result"]?["members"])
        #expect(members.elements == [world.state(of: "alice"), world.state(of: "bob")])
        #expect(world.state(of: "bob")["fix"]?.fixMeters == 5)
    }

    @Test func `A journey request returns destination, times and remaining distance`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(0))
        let payload = ProblemTests.journey()
        #expect(
            try result(world, "alice", "journey.start", payload)
                == #"{"journey":{"destination":{"latitude":46.01,"longitude":14.5,"radius":50},"#
                + #""eta":"2026-05-01T11:00:00.000Z","startedAt":"2026-05-01T10:00:00.000Z","#
                + #""remainingDistance":1112}}"#)
        #expect(
            try result(
                world, "alice", "journey.start", #"{"extend":true,"eta":1777636800000}"#
            ).contains(#""eta":"2026-05-01T12:00:00.000Z""#))
        #expect(try result(world, "alice", "journey.stop") == "{}")
    }

    @Test func `An SOS request returns the state and the problem with its fix`() throws {
        let world = try World.withFamily()
        #expect(try result(world, "alice", "sos.trigger") == #"{"state":"sos"}"#)
        #expect(try result(world, "alice", "sos.stop") == "{}")
        let refused = try #require(
            try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":91}}"#)["result"])
        #expect(refused["state"]?.text == "sos")
        #expect(
            refused["fixRefused"]?.problemWords
                == "invalid: fix.latitude must be from -90 to 90; fix.longitude is missing")
        #expect(world.state(of: "alice")["state"]?.text == "sos")
    }

    @Test func `Devices are listed with their protocols`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:05 alice's app at 0 m")
        #expect(
            try result(world, "alice", "device.list")
                == #"{"devices":[{"device":"phone","createdAt":"2026-05-01T10:00:00.000Z","#
                + #""kind":"kith","loggedIn":false,"current":true,"#
                + #""lastSeen":"2026-05-01T10:00:00.000Z"},"#
                + #"{"device":"app","createdAt":"2026-05-01T10:00:05.000Z","#
                + #""kind":"owntracks","loggedIn":false,"current":false,"carried":true,"#
                + #""lastSeen":"2026-05-01T10:00:05.000Z"}]}"#)
    }

    @Test func `A missing path is returned as a feature without a geometry`() throws {
        let world = try World.withFamily()
        #expect(
            try result(world, "alice", "path.get", #"{"group":"$family","user":"bob"}"#)
                == #"{"path":{"type":"Feature","geometry":null,"properties":{"user":"bob","#
                + #""name":"Bob","times":[]}},"next":null}"#)
    }
}

import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

struct NearbyTests {
    /// Bob and Carol share with Alice; Dave is on her list and shares nothing.
    private func world() throws -> World {
        let world = try FriendListTests.world()
        for user in ["bob", "carol"] as [Sender] {
            try world.ask(user, "friend.add", #"{"user":"alice"}"#)
            try world.ask(user, "friend.share", #"{"with":"all"}"#)
        }
        try world.ask("alice", "friend.add", #"{"user":"dave"}"#)
        _ = world.published()
        return world
    }

    private func nearby(_ world: World, _ payload: String) throws -> [String] {
        let reply = try world.ask("alice", "friend.nearby", payload)
        return (reply["result"]?["friends"]?.elements ?? []).map { friend in
            let bearing = friend["bearing"]?.number.map { "\($0)°" } ?? "here"
            return "\(friend["user"]?.text ?? "?") \(friend["distance"]?.number ?? -1) m \(bearing)"
        }
    }

    private func place(_ world: World, _ user: Sender, _ latitude: Double, _ longitude: Double)
        throws
    {
        world.sleep(.seconds(1))
        try world.send(
            world.fixMessage(
                user,
                "{\"latitude\":\(latitude),\"longitude\":\(longitude),\"accuracy\":5,"
                    + "\"timestamp\":\(world.now.milliseconds)}"))
    }

    @Test func `Sharing friends within the radius are listed, the nearest first`() throws {
        let world = try world()
        try place(world, "alice", 46, 14.5)
        try place(world, "bob", 46.01, 14.5)
        try place(world, "carol", 45.995, 14.5)
        try place(world, "dave", 46, 14.5)
        #expect(
            try nearby(world, #"{"radius":2000}"#)
                == ["carol 555.8 m 180.0°", "bob 1111.5 m 0.0°"])
        #expect(try nearby(world, #"{"radius":1000}"#) == ["carol 555.8 m 180.0°"])
        #expect(try nearby(world, #"{"radius":100}"#) == [])
        #expect(
            try nearby(world, #"{"radius":10,"fix":{"latitude":46.01,"longitude":14.5}}"#)
                == ["bob 0.0 m here"])
        // The position given in the request is not stored.
        #expect(try nearby(world, #"{"radius":100}"#) == [])
        #expect(try world.count("fixes") == 4)
    }

    @Test func `A friend is listed with name, distance, bearing and fix`() throws {
        let world = try world()
        try place(world, "bob", 46.01, 14.5)
        let reply = try world.ask(
            "alice", "friend.nearby", #"{"radius":2000,"fix":{"latitude":46,"longitude":14.5}}"#)
        let expected =
            #"{"friends":[{"user":"bob","name":"Bob","distance":1111.5,"bearing":0,"#
            + #""fix":{"latitude":46.01,"longitude":14.5,"timestamp":"2026-05-01T10:00:01.000Z","#
            + #""accuracy":5,"receivedAt":"2026-05-01T10:00:01.000Z"}}],"total":1}"#
        #expect(reply["result"] == .read(Array(expected.utf8)))
    }

    @Test func `Distances are short across the antimeridian and at the poles`() throws {
        let world = try world()
        try place(world, "bob", 10, -179.999)
        try place(world, "carol", 10, 179.998)
        let there = #"{"radius":500,"fix":{"latitude":10,"longitude":179.999}}"#
        #expect(try nearby(world, there) == ["carol 109.6 m 270.0°", "bob 219.3 m 90.0°"])
        // No one gets there sooner.
        world.sleep(.seconds(40_000))
        try place(world, "bob", 89.999, 1)
        try place(world, "carol", 89.999, -179)
        let pole = #"{"radius":500,"fix":{"latitude":89.999,"longitude":90}}"#
        #expect(try nearby(world, pole).count == 2)
    }

    @Test func `A friend who stops sharing or turns location off is not nearby`() throws {
        let world = try world()
        try place(world, "bob", 46, 14.5)
        try place(world, "carol", 46, 14.5)
        let here = #"{"radius":100,"fix":{"latitude":46,"longitude":14.5}}"#
        #expect(try nearby(world, here) == ["bob 0.0 m here", "carol 0.0 m here"])
        try world.ask("bob", "location.off")
        #expect(try nearby(world, here) == ["carol 0.0 m here"])
        try world.ask("carol", "friend.unshare", #"{"with":["alice"]}"#)
        #expect(try nearby(world, here) == [])
    }

    @Test(arguments: [
        (#"{}"#, "invalid: radius is missing"),
        (#"{"radius":0}"#, "invalid: radius must be from 1 to 20004000"),
        (#"{"radius":1e9}"#, "invalid: radius must be from 1 to 20004000"),
        (#"{"radius":"near"}"#, "invalid: radius must be a number"),
        (#"{"radius":5,"fix":{"latitude":1}}"#, "invalid: fix.longitude is missing"),
        (#"{"radius":5,"fix":7}"#, "invalid: fix must be an object"),
        (
            #"{"radius":5}"#,
            "invalid: fix is missing, and your position is unknown"
        ),
    ])
    func `An invalid query gets one error reply`(_ payload: String, _ answer: String) throws {
        #expect(try world().outcome("alice", "friend.nearby", payload) == answer)
    }
}

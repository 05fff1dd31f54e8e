import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// The log of who has viewed a user's data.
struct AccessLogTests {
    private func looks(_ world: World, _ who: Sender = "alice") throws -> [String] {
        let entries = try world.ask(who, "access.log")["result"]?["entries"]?.elements ?? []
        return entries.reversed().map { entry in
            let by = entry["user"]?.text ?? (entry["share"] == nil ? "?" : "link")
            return "\(by) \(entry["what"]?.text ?? "?")"
        }
    }

    /// Alice shows Bob where she is, and both are near each other.
    private func world() throws -> World {
        let world = try World.withFamily()
        for sender: Sender in ["alice", "bob"] { try world.fix(sender, TestFix(1)) }
        #expect(try world.outcome("alice", "friend.add", #"{"user":"bob"}"#) == "ok")
        #expect(try world.outcome("alice", "friend.share", #"{"with":"all"}"#) == "ok")
        return world
    }

    @Test func `A friend's nearby search is logged once an hour`() throws {
        let world = try world()
        for _ in 1...3 { try world.ask("bob", "friend.nearby", #"{"radius":500}"#) }
        #expect(try looks(world) == ["bob nearby"])
        // Users who are not shown get no entry.
        #expect(try looks(world, "bob") == [])
        try world.ask("alice", "friend.nearby", #"{"radius":500}"#)
        #expect(try looks(world, "bob") == [])
        world.sleep(.seconds(3_601))
        try world.restart()
        try world.ask("bob", "friend.nearby", #"{"radius":500}"#)
        #expect(try looks(world) == ["bob nearby", "bob nearby"])
        try world.ask("bob", "friend.nearby", #"{"radius":0.5,"fix":{"latitude":1,"longitude":1}}"#)
        #expect(try looks(world).count == 2)
    }

    @Test func `Reading a path is logged for members, not for its owner`() throws {
        let world = try world()
        try world.ask("alice", "sos.trigger")
        world.sleep(.seconds(5))
        try world.fix("alice", TestFix(100))
        let fields = #"{"group":"\#(world.names["family"])","user":"alice"}"#
        for who: Sender in ["alice", "bob", "bob"] {
            #expect(try world.outcome(who, "path.get", fields) == "ok")
        }
        #expect(try looks(world) == ["bob path"])
        _ = try world.operate(.removeUser("bob"))
        #expect(try looks(world) == [])
        #expect(try world.count("access_log") == 0)
    }

    @Test func `Opening a link is logged and exported`() throws {
        let world = try world()
        let until = (world.now + .seconds(3_600)).milliseconds
        let made = try world.ask(
            "alice", "share.create", #"{"what":"position","until":\#(until)}"#)["result"]
        let token = try #require(made?["token"]?.text)
        #expect(try world.askAsGuest("share.open", #"{"token":"\#(token)"}"#).outcome == "ok")
        #expect(try looks(world) == ["link opened"])
        let item = try world.exported("alice").first { $0["type"]?.text == "access" }
        #expect(item?["share"]?.text == made?["share"]?.text)
    }
}

import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// `location.off`: nothing remains visible.
struct LocationOffTests {
    @Test func `Turning location off leaves nothing of the last location`() throws {
        let world = try World.withFriends()
        try world.addGroup("Family", "alice", "bob")
        try Script.play(
            in: world,
            """
            10:00:00 alice shares with all
            10:00:01 alice at 10 m
            10:00:02 alice asks friend.share {"with":"all"}
            """)
        try Script.check(
            in: world,
            """
            10:00:03 alice asks location.off
                alice/phone reply: ok
                family sees alice v4: inactive, nowhere
                alice's location: gone
            10:00:04 alice at 9 m taken 5 s ago
            10:00:05 bob asks friend.nearby {"radius":1000,"fix":{"latitude":46,"longitude":14.5}}
                bob/phone reply: ok
                family sees bob v2: inactive, nowhere
            """)
        #expect(try world.inSight(of: "bob") == [])
        #expect(world.state(of: "alice")["fix"] == .null)
        try world.restart()
        #expect(world.state(of: "alice")["fix"] == .null)
        try world.store.transaction { transaction in
            try transaction.trackers { saved, _ in #expect(saved.tracker.latest == nil) }
        }
    }

    @Test func `The reply states what was deleted`() throws {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(10))
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        let reply = try world.ask("alice", "location.off")
        #expect(reply["result"]?["storing"] == .bool(true))
        let deleted = JSONValue.read(
            Array(#"{"locations":1,"friends":2,"links":0,"services":0,"runs":0,"groups":[]}"#.utf8))
        #expect(reply["result"]?["deleted"] == deleted)
        let again = try world.ask("alice", "location.off")
        let nothing = JSONValue.read(
            Array(#"{"locations":0,"friends":0,"links":0,"services":0,"runs":0,"groups":[]}"#.utf8))
        #expect(again["result"]?["deleted"] == nothing)
    }

    @Test func `The last position is deleted from the store and does not return`() throws {
        let world = try World.withFriends()
        try world.fix("alice/watch", TestFix(1, ago: 5))
        try world.fix("alice", TestFix(5, ago: 2))
        let last = world.fixMessage("alice", TestFix(77, accuracy: 5))
        try world.send(last)
        world.sleep(.seconds(1))
        try world.fix("alice", TestFix(6, ago: 60))
        let place = "latitude_e7 = \(460_000_000 + 77 * 90)"
        #expect(try world.count("fixes", where: place) == 1)
        try world.ask("alice", "location.off")
        #expect(try world.count("fixes", where: place) == 0)
        #expect(
            try world.count(
                "fixes", where: "latitude_e7 IS NULL AND longitude_e7 IS NULL AND accuracy IS NULL")
                == 1)
        try world.send(last)
        #expect(try world.count("fixes") == 4)
        #expect(try world.count("fixes", where: place) == 0)
        let export = try world.ask("alice", "account.export")
        let fixes = (export["result"]?["items"]?.elements ?? []).filter {
            $0["type"]?.text == "fix"
        }
        #expect(fixes.map { $0["fix"]?.fixMeters } == [6, 5, 1])
        try world.restart()
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        #expect(world.retained["kith/users/alice/location"] == nil)
        // A new one is accepted as usual.
        try world.fix("alice", TestFix(8))
        #expect(JSONValue.read(world.retained["kith/users/alice/location"] ?? []).fixMeters == 8)
    }

    @Test func `The last position is found even when many older ones arrived since`() throws {
        let world = try World.withFriends()
        try world.fix("alice", TestFix(77))
        world.sleep(.seconds(1))
        for number in 1...80 { try world.fix("alice", TestFix(1, ago: Double(number) * 3)) }
        try world.ask("alice", "location.off")
        #expect(try world.count("fixes", where: "latitude_e7 IS NULL") == 1)
        #expect(try world.count("fixes", where: "latitude_e7 = \(460_000_000 + 77 * 90)") == 0)
    }

    @Test func `Turning storage off stores nothing more and reports what is kept`() throws {
        let world = try World.withFamily()
        for number in 1...3 { try world.fix("alice", TestFix(number, ago: Double(10 - number))) }
        let off = try world.ask("alice", "location.off", #"{"store":false}"#)
        #expect(off["result"]?["storing"] == .bool(false))
        #expect(off["result"]?["kept"]?["fixes"]?.integer == 3)
        try world.restart()
        _ = world.published()
        world.sleep(.seconds(10))
        try world.fix("alice", TestFix(50, seq: 7), TestFix(51, ago: 1, seq: 8))
        #expect(try world.count("fixes") == 3)
        let receipt = world.published().last { $0.topic.hasSuffix("/stored") }
        #expect(JSONValue.read(receipt?.payload ?? [])["seq"]?.integer == 8)
        #expect(world.state(of: "alice")["online"] == .bool(true))
        #expect(world.state(of: "alice")["fix"] == .null)
        #expect(try world.ask("alice", "account.get")["result"]?["storing"] == .bool(false))
        let on = try world.ask("alice", "location.off", #"{"store":true}"#)
        #expect(on["result"]?["storing"] == .bool(true))
        try world.fix("alice", TestFix(60))
        #expect(try world.count("fixes") == 4)
    }

    @Test func `An SOS of a user without storage is stored with its position`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "location.off", #"{"store":false}"#)
        let fix = TestFix(7).json(at: world.now)
        #expect(try world.outcome("alice", "sos.trigger", "{\"fix\":\(fix)}") == "ok")
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 7)
        world.sleep(.seconds(5))
        try world.fix("alice", TestFix(12))
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 12)
        #expect(try world.count("fixes") == 2)
    }

    @Test(arguments: [
        ("sharing.start", #"{"groups":"all"}"#), ("friend.share", #"{"with":"all"}"#),
    ])
    func `Starting to share turns storage on again`(_ method: String, _ payload: String) throws {
        let world = try World.withFriends()
        try world.addGroup("Family", "alice", "bob")
        try world.ask("alice", "location.off", #"{"store":false}"#)
        #expect(try world.outcome("alice", method, payload) == "ok")
        try world.fix("alice", TestFix(1))
        #expect(try world.count("fixes") == 1)
    }

    @Test func `Location cannot be turned off during an SOS`() throws {
        let world = try World.withFriends()
        try world.addGroup("Family", "alice", "bob")
        try world.fix("alice", TestFix(10))
        try world.ask("alice", "friend.share", #"{"with":"all"}"#)
        try world.ask("alice", "sos.trigger")
        #expect(try world.outcome("alice", "location.off") == "already-in-sos")
        #expect(try world.inSight(of: "bob") == ["alice"])
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 10)
        try world.ask("alice", "sos.stop")
        #expect(try world.outcome("alice", "location.off") == "ok")
    }
}

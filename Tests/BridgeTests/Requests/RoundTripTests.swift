import Contract
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// How often a request waits for a server that has the database. The table in docs/postgresql.md is
/// from here.
@Suite(.onPostgreSQL)
struct RoundTripTests {
    /// The number of times for a request in a turn of its own, with its commit.
    private func trips(
        _ world: World, _ sender: Sender, _ method: String, _ payload: String = "{}"
    ) throws -> Int {
        world.goesOn = false
        defer { world.goesOn = true }
        let before = world.store.roundTrips
        let outcome = try world.outcome(sender, method, payload)
        #expect(outcome == "ok", "\(method)")
        return world.store.roundTrips - before
    }

    /// A world in which things happened that many times.
    private func world(_ times: Int) throws -> World {
        let world = try World.withFamily()
        for number in 0..<times {
            try world.ask("alice", "sos.trigger", #"{"id":"t\#(number)"}"#)
            try world.ask(
                "bob", "alert.acknowledge", #"{"alert":"\#(world.names.lastAlert)"}"#)
            try world.ask("alice", "sos.stop", #"{"id":"s\#(number)"}"#)
            try world.ask("bob", "chat.send", #"{"group":"$family","text":"\#(number)"}"#)
            for second in 0..<10 { try world.fix("alice", TestFix(second)) }
            world.sleep(.seconds(30))
        }
        return world
    }

    private static func positions(_ count: Int, from start: Int64) -> String {
        let list = (0..<count).map {
            #"{"latitude":1,"longitude":2,"timestamp":\#(start + Int64($0))}"#
        }
        return #"{"source":"Watch","positions":[\#(list.joined(separator: ","))]}"#
    }

    @Test func `No request waits longer because there is more stored`() throws {
        let (few, many) = (try world(2), try world(12))
        let (start, end) = (Timestamp.morning.milliseconds, many.now.milliseconds)
        let stretch = #""from":\#(start),"to":\#(end)"#
        let requests: [(Sender, String, String)] = [
            ("alice", "alert.list", #"{"group":"$family"}"#),
            ("alice", "chat.history", #"{"group":"$family"}"#), ("alice", "notice.list", "{}"),
            ("alice", "position.list", "{\(stretch)}"),
            ("alice", "import.add", RoundTripTests.positions(100, from: start)),
            ("alice", "import.list", "{}"),
            ("alice", "data.delete", #"{\#(stretch),"what":"positions"}"#),
            ("alice", "device.list", "{}"), ("bob", "friend.list", "{}"),
            ("alice", "sos.trigger", "{}"), ("bob", "sharing.start", #"{"groups":"all"}"#),
            ("bob", "chat.send", #"{"group":"$family","text":"hello"}"#),
            ("bob", "group.rename", #"{"group":"$family","name":"F"}"#),
            ("bob", "friend.add", #"{"user":"alice"}"#),
            ("alice", "share.create", #"{"what":"position","until":\#(end + 3_600_000)}"#),
        ]
        for (sender, method, payload) in requests {
            let (one, other) = (
                try trips(few, sender, method, payload), try trips(many, sender, method, payload)
            )
            print("\(method): \(one) round trips, \(other) with six times as much")
            #expect(other <= one + 1, "\(method)")
        }
    }

    @Test func `A turn of fixes waits as often for a hundred as for ten`() throws {
        let world = try World.withFamily()
        func trips(_ seconds: Range<Int>) throws -> Int {
            let before = world.store.roundTrips
            try world.turn(seconds.map { world.fixMessage("alice", TestFix($0)) })
            return world.store.roundTrips - before
        }
        _ = try trips(0..<1)
        world.sleep(.seconds(1_000))
        let ten = try trips(100..<110)
        world.sleep(.seconds(1_000))
        let hundred = try trips(200..<300)
        #expect(hundred <= ten + 1)
    }
}

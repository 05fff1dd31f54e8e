import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// `stored` confirms that every fix of a device up to a number is on disk; see `Receipts`.
struct ReceiptTests {
    @Test func `A receipt follows the numbers, once per turn`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1
                alice/phone stored 1
            10:00:10 alice at 2 m seq 2 & alice at 3 m seq 3 taken 1 s ago & alice at 4 m
                alice/phone stored 3
            10:00:20 alice at 5 m
            10:00:30 alice/watch at 1 m seq 900
                alice/watch stored 900
            """)
    }

    @Test func `A receipt never covers a gap and closes it when the missing fix arrives`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1
                alice/phone stored 1
            10:00:10 alice at 3 m seq 3
                alice/phone stored 1
            10:00:20 alice at 4 m seq 4
                alice/phone stored 1
            10:00:30 alice at 2 m seq 2 taken 25 s ago
                alice/phone stored 4
            10:00:40 alice at 3 m seq 3 taken 30 s ago & alice at 5 m seq 5
                alice/phone stored 5
            """)
    }

    @Test func `A receipt names the processed numbers beyond a gap`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice at 1 m seq 1")
        let fixes = [3, 4, 7].map { number in
            TestFix(number, ago: Double(number), seq: Int64(number)).json(at: world.now)
        }
        func receipt() -> String {
            String(decoding: world.published().last?.payload ?? [], as: UTF8.self)
        }
        try world.send(world.fixMessage("alice", "[\(fixes.joined(separator: ",")),{\"seq\":9}]"))
        #expect(receipt() == #"{"seq":1,"beyond":[[3,4],[7,7],[9,9]]}"#)
        try world.fix("alice", TestFix(2, ago: 8, seq: 2))
        #expect(receipt() == #"{"seq":4,"beyond":[[7,7],[9,9]]}"#)
    }

    @Test func `A receipt that covers nothing yet states so`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 0 taken 99 s ahead
                alice/phone rejected: invalid: timestamp is more than 60 s in the future, seq [0]
                alice/phone stored -1
            10:02:00 alice at 1 m seq 0
                alice/phone stored 0
            """)
    }

    @Test func `A duplicate gets a receipt again`() throws {
        let world = try World.withFamily()
        let message = world.fixMessage("alice", TestFix(1, seq: 1))
        for _ in 1...2 {
            try world.turn([message])
            #expect(world.published().map(\.topic) == ["kith/users/alice/devices/phone/stored"])
        }
        #expect(try world.count("fixes") == 1)
    }

    @Test func `A refused fix is covered by the receipt`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice at 1 m seq 1")
        try world.send(world.fixMessage("alice", #"{"latitude":91,"longitude":0,"seq":2}"#))
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:10 alice at 3 m seq 3
                alice/phone stored 3
            """)
    }

    @Test func `A fix refused only for its time is awaited`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1
                alice/phone stored 1
            10:00:20 alice at 2 m seq 2 taken 99 s ahead
                alice/phone rejected: invalid: timestamp is more than 60 s in the future, seq [2]
                alice/phone stored 1
            10:00:25 the bridge restarts
            10:00:30 alice at 3 m seq 3
                alice/phone stored 1
            10:01:59 alice at 2 m seq 2
                alice/phone stored 3
            """)
    }

    @Test func `A first fix refused for its time is also awaited`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 7 m seq 7 taken 99 s ahead
                alice/phone rejected: invalid: timestamp is more than 60 s in the future, seq [7]
                alice/phone stored 6
            10:00:05 the bridge restarts
            10:00:10 alice at 8 m seq 8
                alice/phone stored 6
            10:00:20 alice at 7 m seq 7
                alice/phone stored 8
            """)
    }

    /// A phone whose clock was a day ahead until it was set.
    @Test func `An awaited fix does not hold up later ones for ever`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1
                alice/phone stored 1
            10:00:10 alice at 2 m seq 2 taken 86400 s ahead
                alice/phone rejected: invalid: timestamp is more than 60 s in the future, seq [2]
                alice/phone stored 1
            10:30:00 alice at 2 m seq 2 taken 84610 s ahead
                alice/phone rejected: invalid: timestamp is more than 60 s in the future, seq [2]
                alice/phone stored 1
            10:30:10 alice at 3 m seq 3
                alice/phone stored 1
            10:40:09 alice at 4 m seq 4
                alice/phone stored 1
            10:40:10 alice at 5 m seq 5
                alice/phone stored 5
            """)
    }

    @Test func `The rejection of an array lists the fixes that can be sent again`() throws {
        let world = try World.withFamily()
        let old = world.now - .seconds(40 * 86_400)
        try world.send(
            world.fixMessage(
                "alice",
                "[\(TestFix(1, seq: 10).json(at: world.now)),{\"seq\":11},"
                    + "\(TestFix(2, ago: -99, seq: 12).json(at: world.now)),"
                    + "\(TestFix(3, seq: 13).json(at: old))]"))
        let told = world.published().map { JSONValue.read($0.payload) }
        // Each kind of problem separately.
        #expect(told[0]["problem"]?["type"] == .string("urn:kith:problem:invalid"))
        #expect(told[0]["seq"] == .array([.number(11), .number(12)]))
        #expect(told[0]["again"] == .array([.number(12)]))
        #expect(told[1]["problem"]?["type"] == .string("urn:kith:problem:too-old"))
        #expect(told[1]["seq"] == .array([.number(13)]))
        #expect(told[1]["again"] == .array([.number(13)]))
        #expect(told[2]["seq"] == .number(11))
    }

    @Test func `The rejection names the numbers, and the receipt covers them`() throws {
        let world = try World.withFamily()
        try world.send(
            world.fixMessage(
                "alice",
                "[\(TestFix(1, seq: 10).json(at: world.now)),{\"seq\":11},"
                    + "\(TestFix(2, ago: 1, seq: 12).json(at: world.now)),{\"seq\":13}]"))
        let told = world.published().map { JSONValue.read($0.payload) }
        #expect(told.map { $0["seq"] } == [.array([.number(11), .number(13)]), .number(13)])
    }

    @Test func `A restart keeps the receipts, also those of refused and doubtful fixes`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1
                alice/phone stored 1
            10:00:05 the bridge restarts
            10:00:10 alice at 3 m seq 3
                alice/phone stored 1
            10:00:15 the bridge restarts
            10:00:20 alice at 2 m seq 2 taken 1 s ago
                alice/phone stored 3
            10:00:25 the bridge restarts
            10:00:30 alice at 20000000 m seq 4
                alice/phone rejected: invalid: latitude must be from -90 to 90, seq [4]
                alice/phone stored 4
            10:00:35 the bridge restarts
            10:00:40 alice at 5 m seq 5
                alice/phone stored 5
            """)
    }

    /// Two readings within one millisecond, or from a device whose clock counts seconds: the second
    /// is a duplicate of the first, but its number is equally valid.
    @Test func `A restart keeps the receipt of a duplicate with a number of its own`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1
                alice/phone stored 1
            10:00:01 alice at 1 m seq 2 taken 1 s ago
                alice/phone stored 2
            10:00:05 the bridge restarts
            10:00:10 alice at 3 m seq 3
                alice/phone stored 3
            """)
    }

    @Test func `A device that restarts its numbers gets receipts from there`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 to 10:00:04 every 1 s alice at 0 m seq 100
                alice/phone stored 100
                alice/phone stored 101
                alice/phone stored 102
                alice/phone stored 103
                alice/phone stored 104
            10:00:10 alice at 1 m seq 1
                alice/phone stored 1
            10:00:11 alice at 2 m seq 2
                alice/phone stored 2
            """)
    }

    @Test func `Receipts count each device separately`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:00 alice at 1 m seq 1 & alice/watch at 1 m seq 7 & bob at 1 m seq 1
                alice/phone stored 1
                bob/phone stored 1
                alice/watch stored 7
            10:00:01 alice/watch at 2 m seq 8
                alice/watch stored 8
            """)
    }

    @Test func `Only a fix on disk gets a receipt`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        faults.failNextCommit = true
        #expect(throws: (any Error).self) {
            try world.send(world.fixMessage("alice", TestFix(1, seq: 1)))
        }
        #expect(world.published().isEmpty)
        try Script.check(
            in: world, showing: .receipts,
            """
            10:00:10 alice at 1 m seq 1
                alice/phone stored 1
            """)
        #expect(try world.count("fixes") == 1)
    }
}

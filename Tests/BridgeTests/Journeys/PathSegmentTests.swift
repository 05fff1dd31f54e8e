import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// A path is published in segments of 64 points as it grows.
struct PathSegmentTests {
    private static let journey = "10:00:00 alice travels to 9000 m by 23:00:00 with family"

    @Test func `Every fix publishes the last segment, a full one with QoS 1`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, Self.journey)
        try Script.play(in: world, "10:00:01 to 10:01:03 every 1 s alice at 1 m +1 m")
        try Script.check(
            in: world, showing: .paths,
            """
            10:01:04 alice at 64 m
                family sees alice's path 1: journey, 64 points: 1 … 64
            10:01:05 alice at 65 m
                family sees alice's path 2: journey, 1 points: 65
            10:01:06 alice at 66 m taken 0.5 s ago & alice at 67 m
                family sees alice's path 2: journey, 3 points: 65 66 67
            """)
        #expect(world.segments(of: "alice").map { $0.segmentMeters.count } == [64, 3])
        world.sleep(.seconds(10))
        _ = world.published()
        try world.turn(
            (1...61).map {
                world.fixMessage("alice", TestFix(67 + $0, ago: 6.2 - 0.1 * Double($0)))
            })
        let paths = world.published().filter { $0.topic.contains("/path/") }
        #expect(paths.contains { $0.topic.hasSuffix("/2") && $0.qos == .atLeastOnce })
        #expect(paths.allSatisfy { $0.retain })
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(1...128))
    }

    @Test(arguments: [1, 64, 65, 129])
    func `The segments together are the path, each point once and in order`(_ count: Int) throws {
        let world = try World.withFamily()
        try Script.play(in: world, Self.journey)
        for number in 1...count {
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(number))
        }
        let segments = world.segments(of: "alice")
        #expect(segments.flatMap(\.segmentMeters) == Array(1...count))
        #expect(segments.dropLast().allSatisfy { $0.segmentMeters.count == 64 })
        #expect(segments.map { $0["segment"]?.integer } == (1...segments.count).map { Int64($0) })
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test func `A late point is inserted in order, and later segments are republished`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, Self.journey)
        try Script.play(in: world, "10:00:10 to 10:33:10 every 10 s alice at 10 m +10 m")
        #expect(world.segments(of: "alice").count == 4)
        try Script.check(
            in: world, showing: .paths,
            """
            10:33:20 alice at 995 m taken 1005 s ago
                family sees alice's path 2: journey, 64 points: 650 … 1270
                family sees alice's path 3: journey, 64 points: 1280 … 1910
                family sees alice's path 4: journey, 8 points: 1920 … 1990
            10:33:30 alice at 1995 m taken 15 s ago
                family sees alice's path 4: journey, 9 points: 1920 … 1995
            10:33:40 alice at 2000 m
                family sees alice's path 4: journey, 10 points: 1920 … 2000
            10:33:50 alice at 5 m taken 1425 s ago & alice at 2010 m & alice at 15 m taken 1425.5 s ago
                family sees alice's path 1: journey, 64 points: 10 … 620
                family sees alice's path 2: journey, 64 points: 630 … 1250
                family sees alice's path 3: journey, 64 points: 1260 … 1890
                family sees alice's path 4: journey, 13 points: 1900 … 2010
            """)
        let meters = world.segments(of: "alice").flatMap(\.segmentMeters)
        #expect(meters.count == 205)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test(arguments: [1, 2, 3])
    func `Segments follow the order of the fixes, not of their arrival`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let world = try World.withFamily()
        try Script.play(in: world, Self.journey)
        world.sleep(.seconds(1000))
        var rest = (1...300).map {
            world.fixMessage("alice", TestFix($0, ago: Double(300 - $0) * 3))
        }.shuffled(using: &random)
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...40, using: &random))
            try world.turn(Array(rest.prefix(count)))
            while let next = world.engine.nextPath {
                try world.pass(until: max(next, world.now))
            }
            rest.removeFirst(count)
            if Int.random(in: 0..<4, using: &random) == 0 { try world.restart() }
            #expect(try world.engine.corrections(of: world.retained).isEmpty)
        }
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(1...300))
    }

    @Test func `Arrival removes all segments`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice travels to 1000 m by 10:10:00 with family")
        try Script.play(in: world, "10:00:01 to 10:03:10 every 1 s alice at 1 m +5 m")
        try Script.play(in: world, "10:03:15 alice at 960 m")
        #expect(world.segments(of: "alice").count == 3)
        try Script.check(
            in: world, showing: [.paths, .alerts, .states],
            """
            10:03:20 alice at 970 m
                family alert: alice journey-arrived at 970 m
                family sees alice's path 1: gone
                family sees alice's path 2: gone
                family sees alice's path 3: gone
                family sees alice v195: active, at 970 m
            """)
        #expect(world.segments(of: "alice").isEmpty)
        #expect(try world.count("path_points") == 192)
    }

    @Test func `An SOS during a journey shows the whole path to all groups as an SOS path`() throws
    {
        let world = try World.withNeighbours()
        try Script.play(in: world, Self.journey)
        try Script.play(in: world, "10:00:01 to 10:01:10 every 1 s alice at 1 m +1 m")
        try Script.check(
            in: world, showing: [.paths, .states, .alerts],
            """
            10:01:20 alice triggers SOS at 80 m
                family alert: alice sos at 80 m
                work alert: alice sos at 80 m
                family sees alice's path 1: sos, 64 points: 1 … 64
                family sees alice's path 2: sos, 7 points: 65 … 80
                work sees alice's path 1: sos, 64 points: 1 … 64
                work sees alice's path 2: sos, 7 points: 65 … 80
                family sees alice v75: sos, at 80 m
                work sees alice v3: sos, at 80 m
            10:01:30 alice at 90 m
                family sees alice's path 2: sos, 8 points: 65 … 90
                work sees alice's path 2: sos, 8 points: 65 … 90
            10:01:40 alice stops SOS
                family alert: alice sos-stopped at 90 m
                work alert: alice sos-stopped at 90 m
                family sees alice's path 1: gone
                family sees alice's path 2: gone
                family sees alice v77: routing, at 90 m
                work sees alice v5: active, at 90 m
            10:01:50 alice at 100 m
                family sees alice's path 1: journey, 1 points: 100
            """)
        // Where the journey is followed, the path of the SOS is seen again when that is over.
        try world.ask("alice", "journey.stop")
        for group in ["family", "work"] {
            let segments = world.segments(of: "alice", in: group)
            #expect(segments.map { $0["mode"]?.text } == ["sos", "sos"])
            #expect(segments.flatMap(\.segmentMeters) == Array(1...70) + [80, 90])
        }
    }

    @Test func `The position sent with an SOS is in the alert and begins the path`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: [.paths, .states, .alerts, .replies],
            """
            10:00:00 alice at 5 m
            10:00:10 alice triggers SOS at 10 m
                family alert: alice sos at 10 m
                alice/phone reply: ok
                family sees alice's path 1: sos, 1 points: 10
                family sees alice v3: sos, at 10 m
            10:00:20 alice triggers SOS at 20 m
                alice/phone reply: already-in-sos
            10:00:30 alice at 30 m
                family sees alice's path 1: sos, 2 points: 10 30
            """)
        #expect(try world.count("fixes") == 3)
    }

    @Test func `The position sent with an SOS during a journey is on the path once`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, Self.journey)
        try Script.play(in: world, "10:00:01 to 10:01:02 every 1 s alice at 1 m +1 m")
        _ = world.published()
        try Script.check(
            in: world, showing: .paths,
            """
            10:01:03 alice triggers SOS at 63 m
                family sees alice's path 1: sos, 63 points: 1 … 63
            10:01:04 alice triggers SOS at 64 m
            10:01:05 alice at 65 m
                family sees alice's path 1: sos, 64 points: 1 … 65
            10:01:06 alice at 66 m
                family sees alice's path 2: sos, 1 points: 66
            """)
    }

    @Test(arguments: [1, 63, 64, 65])
    func `A point received in the turn that ends the SOS is on the path`(_ count: Int) throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice triggers SOS")
        for number in 1..<count {
            world.sleep(.seconds(1))
            try world.fix("alice", TestFix(number))
        }
        world.sleep(.seconds(1))
        try world.send(
            world.fixMessage("alice", TestFix(count)), world.requestMessage("alice", "sos.stop"))
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(1...count))
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
    }

    @Test func `A journey after an SOS shows its own path, and then the SOS path again`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .paths,
            """
            10:00:00 alice triggers SOS
            10:00:01 to 10:00:03 every 1 s alice at 1 m +1 m
                family sees alice's path 1: sos, 1 points: 1
                family sees alice's path 1: sos, 2 points: 1 2
                family sees alice's path 1: sos, 3 points: 1 2 3
            10:00:10 alice stops SOS
            10:00:20 alice travels to 9000 m by 11:00:00 with family
                family sees alice's path 1: gone
            10:00:30 alice at 30 m
                family sees alice's path 1: journey, 1 points: 30
            10:00:40 alice stops the journey
                family sees alice's path 1: sos, 3 points: 1 2 3
            """)
    }
}

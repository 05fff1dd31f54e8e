import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Expired data is deleted, a bounded part at a time.
struct SweepTests {
    private func days(_ days: Double) -> Duration { .seconds(days * 86_400) }

    @Test func `Fixes are deleted after thirty days and not before`() throws {
        let world = try World.withFamily()
        for number in 0..<100 {
            world.sleep(days(0.1))
            try world.fix("alice", TestFix(number))
        }
        world.sleep(days(29.95) - days(9.9))
        try world.sweep()
        #expect(try world.count("fixes") == 100)
        world.sleep(days(0.1))
        try world.sweep()
        #expect(try world.count("fixes") == 99)
        world.sleep(days(5))
        try world.sweep()
        #expect(try world.count("fixes") == 49)
        #expect(try world.count("fix_runs") == 2)
        world.sleep(days(5))
        try world.sweep()
        #expect(try world.count("fixes") == 0)
        #expect(try world.count("fix_runs") == 0)
    }

    @Test func `A late fix is kept as long as any other`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1, ago: 29 * 86_400), TestFix(2))
        world.sleep(days(29))
        try world.sweep()
        #expect(try world.count("fixes") == 2)
        world.sleep(days(1.01))
        try world.sweep()
        #expect(try world.count("fixes") == 0)
    }

    @Test func `A sweep deletes a bounded part per step`() throws {
        let world = try World.withFamily()
        try world.store.transaction { try $0.inventFixes(25_000, devices: 2, before: .morning) }
        try world.restart()
        // No step takes any time: each may be a quarter larger than the one before.
        world.engine.stopwatch = { .zero }
        world.sleep(days(60))
        try world.turn([], .sweeping)
        var counts: [Int] = []
        while let next = world.engine.nextSweep {
            counts.append(try world.count("fixes"))
            try world.pass(until: next)
        }
        #expect(counts.prefix(4) == [24_500, 23_875, 23_094, 22_118])
        let steps = zip(counts, counts.dropFirst()).map { $0 - $1 }
        #expect(steps.allSatisfy { $0 <= SweepPace.most } && (steps.max() ?? 0) > 1_000)
        #expect(try world.count("fixes") == 0)
        #expect(try world.count("fix_runs") == 0)
    }

    @Test func `A fix received after a full sweep survives the next start`() throws {
        let world = try World.withFamily()
        try Script.play(in: world, "10:00:00 alice shares with all")
        for number in 0..<50 {
            world.sleep(.seconds(10))
            try world.fix("alice", TestFix(number, seq: Int64(number + 1)))
        }
        world.sleep(days(31))
        try world.sweep()
        #expect(try world.count("fixes") == 0)
        try world.restart()
        let fix = world.fixMessage("alice", TestFix(500, seq: 51))
        try world.turn([fix])
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 500)
        try world.restart()
        #expect(world.state(of: "alice")["fix"]?.fixMeters == 500)
        _ = world.published()
        try world.turn([fix])
        #expect(try world.count("fixes") == 1)
        #expect(
            world.published().map { JSONValue.read($0.payload)["seq"]?.integer } == [51])
    }

    @Test func `An SOS path is withdrawn from the group after thirty days`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world,
            """
            10:00:00 alice triggers SOS
            10:00:01 to 10:01:40 every 1 s alice at 0 m +1 m
            10:02:00 alice stops SOS
            """)
        world.sleep(days(29.99))
        try world.sweep()
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(0..<100))
        world.sleep(days(0.02))
        try world.sweep()
        #expect(world.segments(of: "alice").isEmpty)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        #expect(try world.count("paths") == 0)
        #expect(try world.count("path_points") == 0)
    }

    /// Retention of the path counts from its end; its points are older.
    @Test func `A long SOS path stays readable in full until it expires`() throws {
        let world = try World.withFamily()
        try world.ask("alice", "sos.trigger")
        for number in 0..<100 {
            world.sleep(days(0.05))
            try world.fix("alice", TestFix(number))
        }
        try world.ask("alice", "sos.stop")
        world.sleep(days(29))
        try world.sweep()
        #expect(world.segments(of: "alice").flatMap(\.segmentMeters) == Array(0..<100))
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        let reply = try world.ask("bob", "path.get", #"{"group":"$family","user":"alice"}"#)
        let points = reply["result"]?["path"]?["geometry"]?["coordinates"]
        #expect(points?.elements.count == 100)
    }

    @Test func `Fixes expire on their own, and an SOS path kept longer stays complete`() throws {
        var settings = BridgeSettings()
        settings.limits.retention = days(14)
        let world = try World.withFamily(settings)
        try Script.play(
            in: world,
            """
            10:00:00 alice travels to 9000 m by 11:00:00 with family
            10:00:01 to 10:01:40 every 1 s alice at 0 m +1 m
            10:02:00 alice stops the journey
            10:03:00 alice triggers SOS
            10:03:01 to 10:04:40 every 1 s alice at 200 m +1 m
            10:05:00 alice stops SOS
            10:06:00 alice travels to 9000 m by 11:00:00 with family
            10:06:01 to 10:06:10 every 1 s alice at 400 m +1 m
            10:07:00 alice stops the journey
            """)
        func kept() throws -> [Int] {
            try world.sweep()
            return try ["fixes", "paths", "path_points"].map { try world.count($0) }
        }
        world.sleep(days(13.9))
        #expect(try kept() == [210, 3, 210])
        world.sleep(days(0.2))
        #expect(try kept() == [0, 1, 100])
        let seen = world.segments(of: "alice").flatMap(\.segmentMeters)
        #expect(seen == Array(200..<300))
        let reply = try world.ask("bob", "path.get", #"{"group":"$family","user":"alice"}"#)
        #expect(reply["result"]?["path"]?["geometry"]?["coordinates"]?.elements.count == 100)
        world.sleep(days(15.8))
        #expect(try kept() == [0, 1, 100])
        world.sleep(days(0.2))
        #expect(try kept() == [0, 0, 0])
    }

    @Test func `An SOS path expires on its own, even if fixes and journeys are kept longer`() throws
    {
        var settings = BridgeSettings()
        settings.retention.sosPath = days(3)
        let world = try World.withFamily(settings)
        try Script.play(
            in: world,
            """
            10:00:00 alice travels to 9000 m by 11:00:00 with family
            10:00:01 to 10:00:10 every 1 s alice at 0 m +1 m
            10:02:00 alice stops the journey
            10:03:00 alice triggers SOS
            10:03:01 to 10:03:20 every 1 s alice at 200 m +1 m
            10:05:00 alice stops SOS
            """)
        func kept() throws -> [Int] {
            try world.sweep()
            return try ["fixes", "paths", "path_points", "path_groups"].map { try world.count($0) }
        }
        world.sleep(days(2.9))
        #expect(try kept() == [30, 2, 30, 1])
        world.sleep(days(0.2))
        #expect(try kept() == [30, 1, 10, 0])
        #expect(world.segments(of: "alice").isEmpty)
        #expect(try world.engine.corrections(of: world.retained).isEmpty)
        world.sleep(days(27))
        #expect(try kept() == [0, 0, 0, 0])
    }

    @Test func `The sweep's lag is a metric and falls to zero`() throws {
        let world = try World.withFamily()
        try world.store.transaction { try $0.inventFixes(3_000, devices: 2, before: .morning) }
        try world.restart()
        world.engine.stopwatch = { .zero }
        world.sleep(days(60))
        try world.turn([], .sweeping)
        let behind = try #require(world.engine.metrics["sweep-behind-seconds"])
        #expect(behind > 29 * 86_400)
        // It hurries.
        #expect(world.engine.nextSweep == world.now + SweepPace.shortPause)
        try world.sweep()
        #expect(world.engine.metrics["sweep-behind-seconds"] == 0)
    }

    @Test func `A journey's path is deleted with the fixes, even for its owner`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world,
            """
            10:00:00 alice travels to 9000 m by 11:00:00 with family
            10:00:01 to 10:01:40 every 1 s alice at 0 m +1 m
            10:02:00 alice stops the journey
            """)
        world.sleep(days(29.9))
        try world.sweep()
        #expect(try world.count("path_points") == 100)
        world.sleep(days(0.2))
        try world.sweep()
        #expect(try world.count("paths") == 0)
        #expect(try world.count("path_points") == 0)
    }

    @Test func `Alerts are deleted after ninety days with their acknowledgements`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world,
            """
            10:00:00 alice triggers SOS
            10:00:10 bob acknowledges
            10:00:20 alice stops SOS
            """)
        world.sleep(days(89.9))
        try world.sweep()
        #expect(try world.count("alerts") == 2)
        #expect(try world.count("acknowledgements") == 1)
        world.sleep(days(0.2))
        try world.sweep()
        #expect(try world.count("alerts") == 0)
        #expect(try world.count("acknowledgements") == 0)
    }

    @Test func `Retention periods can be configured`() throws {
        var settings = BridgeSettings()
        settings.limits.retention = days(2)
        settings.retention.sosPath = days(1)
        settings.retention.alerts = days(3)
        let world = try World.withFamily(settings)
        try Script.play(
            in: world,
            """
            10:00:00 alice triggers SOS
            10:00:01 alice at 1 m
            10:00:02 alice stops SOS
            """)
        func kept() throws -> [Int] {
            try world.sweep()
            return try ["fixes", "path_groups", "paths", "alerts"].map { try world.count($0) }
        }
        #expect(try kept() == [1, 1, 1, 2])
        world.sleep(days(1.01))
        #expect(try kept() == [1, 0, 0, 2])
        world.sleep(days(1))
        #expect(try kept() == [0, 0, 0, 2])
        world.sleep(days(1))
        #expect(try kept() == [0, 0, 0, 0])
    }
}

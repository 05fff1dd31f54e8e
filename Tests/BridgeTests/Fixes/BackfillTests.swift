import Contract
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Fixes that arrive late fill the history and the path; they raise no alert and never move the
/// position back.
struct BackfillTests {
    @Test func `A day's backlog after live fixes fills the history and moves no one`() throws {
        let world = try World.withFamily()
        try Script.play(
            in: world,
            """
            10:00:00 alice travels to 5000 m by 23:00:00 with family
            10:00:01 alice at 100 m
            """)
        let before = world.state(of: "alice")
        _ = world.published()
        // The day before, a fix every minute: 300 m around the destination, in packets of 60.
        var random = SplitMix64(seed: 4)
        let backlog = (1...1440).map { TestFix(5000 + $0 % 7, ago: Double($0) * 60) }
            .shuffled(using: &random)
        for start in stride(from: 0, to: backlog.count, by: 60) {
            let fixes = backlog[start..<(start + 60)].map { $0.json(at: world.now) }
            try world.send(world.fixMessage("alice", "[\(fixes.joined(separator: ","))]"))
        }
        #expect(world.published().isEmpty)
        #expect(world.state(of: "alice") == before)
        #expect(try world.count("fixes") == 1441)
        #expect(try world.count("alerts") == 1)
        #expect(try world.count("path_points") == 1)
    }

    @Test func `A backlog moves the person only as far as it is newer`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: [.positions, .alerts],
            """
            10:00:00 alice shares with all
            10:00:10 alice at 10 m
                family sees alice v4 at 10 m
            10:30:00 alice at 20 m taken 1790 s ago
            10:30:01 alice at 15 m taken 1795 s ago
            10:30:02 alice at 30 m taken 600 s ago
                family sees alice v5 at 30 m
            10:30:03 alice at 25 m taken 601 s ago
            10:30:04 alice at 40 m
                family sees alice v6 at 40 m
            """)
    }

    @Test func `Two devices move one person, the newest fix counts`() throws {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: .positions,
            """
            10:00:00 alice shares with all
            10:00:10 alice at 10 m
                family sees alice v4 at 10 m
            10:00:10 alice/watch at 11 m
            10:00:12 alice/watch at 12 m
                family sees alice v5 at 12 m
            10:00:13 alice at 13 m taken 2 s ago
            10:00:14 alice at 14 m
                family sees alice v6 at 14 m
            """)
        #expect(try world.count("fixes") == 5)
    }

    @Test func `Late fixes cause no arrival before a live one, and a late stay is not stuck`()
        throws
    {
        let world = try World.withFamily()
        try Script.check(
            in: world, showing: [.alerts, .states],
            """
            10:00:00 alice travels to 1000 m by 11:00:00 with family
                family alert: alice journey-started
                family sees alice v3: routing, nowhere
            10:00:01 to 10:12:00 every 30 s alice at 0 m +60 m taken 130 s ago
                10:05:00 family alert: alice silent at 540 m
                10:05:00 family sees alice v14: routing, at 540 m, warnings silent
            10:12:10 alice at 1000 m taken 121 s ago
            10:12:11 alice at 1000 m taken 119 s ago
                family alert: alice online at 1000 m
                family alert: alice journey-arrived at 1000 m
                family sees alice v30: active, at 1000 m
            10:12:12 alice at 1000 m taken 118 s ago
            """)
    }
}

import TestSupport
import Testing
import Tracking

/// The path of a journey or an emergency: in order of the time at which its fixes were taken, in
/// segments of 64.
struct PathTests {
    @Test func `Every 64th fix fills a segment`() throws {
        let given = """
            \(Opening.journey)
            10:00:01 to 10:01:03 every 1 s phone at 0 m +1 m
            """
        try Timeline.check(
            given: given, showing: .paths,
            """
            10:01:04 phone at 63 m
                path 1 grows
                path 1 fills segment 1: 64 points
            10:01:05 phone at 64 m
                path 1 grows
            """)
        let stage = try Timeline.stage(
            after: "\(given)\n10:01:04 to 10:01:05 every 1 s phone at 0 m")
        let path = try #require(stage.tracker.path)
        #expect(path.count == 65)
        #expect(path.lastSegment == 2)
        #expect(path.tail.map(\.takenAt) == [Timestamp(clock: "10:01:05")])
    }

    @Test(arguments: [
        (0, 0, 0), (1, 1, 1), (63, 1, 63), (64, 1, 64), (65, 2, 1), (128, 2, 64), (129, 3, 1),
    ])
    func `The tail holds the last segment`(count: Int, segment: Int, tail: Int) throws {
        let start = try #require(Timestamp(clock: "10:00:00"))
        let fixes =
            count == 0
            ? "" : "10:00:01 to \((start + .seconds(count)).clock) every 1 s phone at 0 m +1 m"
        let path = try #require(
            try Timeline.stage(after: "\(Opening.journey)\n\(fixes)").tracker.path)
        #expect(path.count == count)
        #expect(path.lastSegment == segment)
        #expect(path.tail.count == tail)
    }

    @Test func `A filled segment holds its points in order`() throws {
        var stage = try Timeline.stage(
            after: """
                \(Opening.journey)
                10:00:01 to 10:01:03 every 1 s phone at 0 m +1 m
                """)
        let now = try #require(Timestamp(clock: "10:01:04"))
        let fix = Fix(coordinate: Road.place(63), takenAt: now, receivedAt: now)
        let outcome = stage.apply(.fix(fix, .phone), at: now)
        let points = (0..<64).map {
            Path.Point(
                coordinate: Road.place(Double($0)), takenAt: now - .seconds(63 - $0))
        }
        #expect(
            outcome.effects.contains(.segmentCompleted(number: 1, segment: 1, points: points)))
    }

    @Test func `Each path has its own number and begins where it starts`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .paths,
            """
            10:00:10 phone at 10 m
                path 1 grows
            10:00:20 stops the journey
                path 1 ends, withdrawn
            10:00:30 phone at 20 m
            10:00:40 triggers SOS
                path 2 begins: sos, for family
            10:00:50 phone at 30 m
                path 2 grows
            10:01:00 shows the path
                path: 30 m
            """)
    }

    @Test func `A journey in two groups continues in one when it stops in the other`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 travels to 500 m by 10:02:00 with family, work
                """,
            """
            10:00:10 stops sharing with family
                family v4: inactive, at 0 m
                alert to family: journey-stopped
                path 1 is withdrawn from family
            10:00:20 phone at 10 m
                work v4 at 10 m
                path 1 grows
            10:01:50 phone at 395 m
                work v5 at 395 m
                path 1 grows
            10:02:20 phone at 495 m
                10:02:00.001 work v6: routing, at 395 m, warnings late
                10:02:00.001 alert to work: late
                work v7 at 495 m
                path 1 grows
            10:02:30 phone at 500 m
                work v8: active, at 500 m
                path 1 grows
                alert to work: journey-arrived
                path 1 ends, withdrawn
            """)
    }

    @Test func `Leaving the last group ends the journey`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 travels to 500 m by 10:02:00 with family, work
                """,
            """
            10:00:10 leaves family
                alert to family: journey-stopped
                path 1 is withdrawn from family
            10:00:20 leaves work
                alert to work: journey-stopped
                path 1 ends, withdrawn
            10:05:00 joins family
                family v4: inactive, no position
            10:05:10 stops the journey
                refused: not-on-a-journey
            """)
    }

    @Test func `A path has a maximum number of points`() throws {
        var rules = Rules()
        rules.maximumPathPoints = 3
        try Timeline.check(
            given: Opening.journey,
            """
            10:00:10 to 10:00:40 every 10 s phone at 0 m
                family v4 at 0 m
                path 1 grows
                family v5 at 0 m
                path 1 grows
                family v6 at 0 m
                path 1 grows
                family v7 at 0 m
            10:00:50 phone at 5 m taken 10:00:15
            """, rules: rules)
    }
}

extension Stage.Outcome {
    var effects: [Effect] { if case .effects(let effects) = self { effects } else { [] } }
}

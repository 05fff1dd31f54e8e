import Testing
import Tracking

/// Positions less exact than the known one: from cell towers, in an SOS and otherwise.
struct CoarseFixTests {
    @Test(arguments: [
        // In its circle, a few seconds later: the exact one stays.
        ("phone at 1100 m accuracy 1414 taken 10:10:03", 0),
        ("phone at 140 m accuracy 165 taken 10:10:03", 0),
        // Two of three are in the circle: just outside means nothing either.
        ("phone at 1900 m accuracy 1414 taken 10:10:03", 0),
        // Clearly outside, the person has moved.
        ("phone at 2900 m accuracy 1414 taken 10:10:30", 2900),
        // Good enough.
        ("phone at 60 m accuracy 65 taken 10:10:03", 60),
        ("phone at 60 m accuracy 100 taken 10:10:03", 60),
        ("phone at 60 m taken 10:10:03", 60),
        // Anywhere includes where the person was.
        ("phone at 9000 m accuracy 20004000 taken 10:11:00", 0),
    ])
    func `A coarse fix does not replace a fresh exact one`(_ event: String, meters: Int) throws {
        for state in ["shares with family", "triggers SOS"] {
            let stage = try Timeline.stage(
                after: """
                    10:00:00 joins family
                    10:00:00 \(state)
                    10:10:00 phone at 0 m accuracy 5
                    10:11:30 \(event)
                    """)
            let fix = try #require(stage.tracker.latest)
            #expect(Road.meters(to: fix.coordinate) == meters)
            #expect(stage.tracker.visibleFix(in: .family) == fix)
        }
    }

    @Test(arguments: [
        // After a walk: two minutes.
        ("10:10:00 phone at 600 m accuracy 5", "10:12:00", 600),
        ("10:10:00 phone at 600 m accuracy 5", "10:12:01", 1100),
        // At rest: a quarter of an hour.
        ("10:02:00 to 10:10:00 every 60 s phone at 3 m accuracy 5", "10:25:00", 3),
        ("10:02:00 to 10:10:00 every 60 s phone at 3 m accuracy 5", "10:25:01", 1100),
    ])
    func `An exact position ceases to be fresh with time`(_ given: String, at: String, meters: Int)
        throws
    {
        let stage = try Timeline.stage(
            after: """
                10:00:00 joins family
                10:00:00 phone at 0 m accuracy 5
                \(given)
                \(at) phone at 1100 m accuracy 1414
                """)
        #expect(stage.tracker.latest.map { Road.meters(to: $0.coordinate) } == meters)
    }

    @Test func `Coarse fixes in an SOS are signs of life but not on its path`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone connects
                10:00:00 phone at 0 m accuracy 5
                10:00:00 triggers SOS
                10:00:01 family acknowledges
                10:00:10 phone at 10 m accuracy 5
                """,
            showing: [.positions, .alerts],
            """
            10:00:30 to 10:02:00 every 30 s phone at 900 m accuracy 1414
            10:03:00 to 10:12:00 every 60 s phone at 900 m accuracy 1414
                family v5 at 900 m
                family v6 at 900 m
                family v7 at 900 m
                family v8 at 900 m
                family v9 at 900 m
                family v10 at 900 m
                family v11 at 900 m
                family v12 at 900 m
                family v13 at 900 m
                family v14 at 900 m
            10:12:30 shows the path
                path: 10 m
            """)
    }

    @Test func `A path begins with a coarse fix if there is nothing better`() throws {
        try Timeline.check(
            given: "10:00:00 joins family\n10:00:00 triggers SOS", showing: .paths,
            """
            10:00:10 phone at 900 m accuracy 1414
                path 1 grows
            10:01:10 phone at 900 m accuracy 1414
            10:02:10 phone at 10 m accuracy 10
                path 1 grows
            """)
    }
}

import Testing
import Tracking

/// Stuck: for 300 s the fixes lay within 50 m of the first, or 1.5 times its or their own
/// inaccuracy if that is more; one alone outside does not count. It ends with two fixes in
/// succession outside 1.5 times that radius.
struct StuckTests {
    /// Four minutes at one place, from 10:01:00 on.
    private let waiting = """
        \(Opening.journey)
        10:01:00 to 10:05:00 every 10 s phone at 0 m
        """

    /// The same, long enough.
    private let stuck = """
        \(Opening.journey)
        10:01:00 to 10:06:00 every 10 s phone at 0 m
        """

    @Test(arguments: [
        ("10:05:59 phone at 0 m", false),
        ("10:05:59.999 phone at 0 m", false),
        ("10:06:00 phone at 0 m", true),
        ("10:06:00 phone at 50 m", true),
        ("10:06:00 phone at 50.1 m", false),
        ("10:06:00 phone at 51 m", false),
        ("10:06:00 phone at 51 m accuracy 10", false),
        ("10:06:00 phone at 120 m accuracy 80", true),
        ("10:06:00 phone at 120.1 m accuracy 80", false),
        ("10:06:00 phone at 0 m accuracy 100", true),
        ("10:06:00 phone at 0 m accuracy 200", false),
        ("10:07:00 phone at 0 m taken 60 s ago", true),
        ("10:07:00 phone at 0 m taken 61 s ago", false),
    ])
    func `Five minutes around one place count as stuck`(_ event: String, isStuck: Bool) throws {
        let effects = try Timeline.effects(given: waiting, of: event, showing: .alerts)
        #expect(effects == (isStuck ? ["alert to family: stuck"] : []))
    }

    @Test(arguments: [
        ("phone at 75 m", false),
        ("phone at 75.1 m", true),
        ("phone at 76 m", true),
        ("phone at 76 m accuracy 60", false),
        ("phone at 135 m accuracy 60", false),
        ("phone at 136 m accuracy 60", true),
        ("phone at 900 m accuracy 200", true),
        ("phone at 900 m accuracy 201", false),
    ])
    func `Moving again takes two fixes outside one and a half times the radius`(
        _ event: String, moves: Bool
    ) throws {
        let first = "10:06:10 \(event)"
        #expect(try Timeline.effects(given: stuck, of: first, showing: .alerts) == [])
        let effects = try Timeline.effects(
            given: "\(stuck)\n\(first)", of: "10:06:20 \(event)", showing: .alerts)
        #expect(effects == (moves ? ["alert to family: moving"] : []))
    }

    @Test func `A single fix outside neither means moving nor hides standing still`() throws {
        try Timeline.check(
            given: waiting, showing: .alerts,
            """
            10:05:30 phone at 700 m accuracy 10
            10:05:40 to 10:05:50 every 10 s phone at 0 m
            10:06:00 phone at 0 m
                alert to family: stuck
            10:06:10 phone at 700 m
            10:06:20 phone at 0 m
            10:06:30 phone at 700 m
            10:06:40 phone at 900 m accuracy 300
            10:06:50 phone at 720 m
                alert to family: moving
            """)
    }

    @Test func `A person who left the place in between was not stuck`() throws {
        try Timeline.check(
            given: """
                \(waiting)
                10:05:10 phone at 51 m
                """,
            showing: .alerts,
            """
            10:05:20 to 10:10:00 every 10 s phone at 51 m
            10:10:10 phone at 51 m
                alert to family: stuck
            """)
    }

    /// A cell tower's fix once made a person who walks on "not moving" after five minutes.
    @Test(arguments: [200.1, 500, 2000, 20_000])
    func `A single inaccurate fix does not affect those after it`(accuracy: Double) throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:01:00 phone at 0 m accuracy \(accuracy)
            10:01:10 to 10:20:00 every 10 s phone at 0 m +14 m
            """)
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:01:10 to 10:04:00 every 10 s phone at 0 m +14 m
            10:04:05 phone at 1000 m accuracy \(accuracy)
            10:04:10 to 10:20:00 every 10 s phone at 252 m +14 m
            """)
    }

    @Test func `A person who walks with a bad signal all the way is not stuck`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            "10:01:10 to 10:40:00 every 10 s phone at 0 m +14 m accuracy 200")
    }

    @Test func `A better fix at the same place replaces the bad one`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:02:30 phone at 0 m accuracy 120
            10:04:00 phone at 119 m accuracy 5
            10:05:10 to 10:06:20 every 70 s phone at 100 m accuracy 5
            10:07:30 phone at 100 m accuracy 5
                alert to family: stuck
            10:07:40 to 10:07:50 every 10 s phone at 190 m
            10:08:00 to 10:08:10 every 10 s phone at 195 m
                alert to family: moving
            """)
    }

    @Test func `A person who stays is stuck since the first good fix at the place`() throws {
        try Timeline.check(
            given: "\(Opening.journey)\n10:00:10 phone at 0 m", showing: .alerts,
            """
            10:01:00 to 10:05:50 every 10 s phone at 400 m
            10:06:00 phone at 400 m
                alert to family: stuck
            """)
    }

    @Test func `A second episode alerts again, once each`() throws {
        try Timeline.check(
            given: Opening.journey, showing: [.states, .alerts],
            """
            10:01:00 to 10:09:00 every 10 s phone at 0 m
                family v34: routing, at 0 m, warnings stuck
                alert to family: stuck
            10:09:10 phone at 60 m
            10:09:20 phone at 300 m
            10:09:30 phone at 300 m
                family v55: routing, at 300 m
                alert to family: moving
            10:09:40 to 10:20:00 every 10 s phone at 300 m
                family v84: routing, at 300 m, warnings stuck
                alert to family: stuck
            """)
    }

    @Test func `Walking slowly is not being stuck`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            "10:01:00 to 10:31:00 every 10 s phone at 0 m +2 m")
    }

    @Test func `Fixes from before the journey do not count`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:10 to 10:10:00 every 10 s phone at 0 m
                10:10:00 travels to 5000 m by 11:00:00 with family
                """,
            showing: .alerts,
            """
            10:10:10 to 10:15:00 every 10 s phone at 0 m
            10:15:10 phone at 0 m
                alert to family: stuck
            """)
    }

    @Test func `Backfilled fixes neither make a person stuck nor free`() throws {
        try Timeline.check(
            given: waiting, showing: .alerts,
            """
            10:08:30 phone at 0 m taken 10:06:29
            10:08:40 phone at 0 m taken 10:06:40
            10:08:50 phone at 400 m taken 10:06:30
            10:09:40 phone at 0 m taken 10:07:40
                alert to family: stuck
            10:11:00 phone at 400 m taken 10:08:59
            """)
    }

    @Test func `A person at the destination is not stuck`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 500 m by 11:00:00 with family
                10:01:00 to 10:05:40 every 10 s phone at 430 m
                10:05:50 phone at 460 m
                """,
            showing: .alerts,
            """
            10:06:00 phone at 460 m
                alert to family: journey-arrived
            """)
    }

    @Test func `A person without a journey is not stuck`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family", showing: .alerts,
            "10:00:10 to 10:20:00 every 10 s phone at 0 m")
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 triggers SOS\n10:00:00 family acknowledges",
            showing: .alerts, "10:00:10 to 10:20:00 every 10 s phone at 0 m")
    }
}

import Testing
import Tracking

/// Stuck: all fixes of the last 300 s lie within 50 m, or within their inaccuracy if that is
/// larger. It ends on leaving 1.5 times that radius.
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
        ("10:06:00 phone at 80 m accuracy 80", true),
        ("10:06:00 phone at 80.1 m accuracy 80", false),
        ("10:07:00 phone at 0 m taken 60 s ago", true),
        ("10:07:00 phone at 0 m taken 61 s ago", false),
    ])
    func `Five minutes around one place are stuck`(_ event: String, isStuck: Bool) throws {
        let effects = try Timeline.effects(given: waiting, of: event, showing: .alerts)
        #expect(effects == (isStuck ? ["alert to family: stuck"] : []))
    }

    @Test(arguments: [
        ("phone at 75 m", false),
        ("phone at 75.1 m", true),
        ("phone at 76 m", true),
        ("phone at 76 m accuracy 60", false),
        ("phone at 90 m accuracy 60", false),
        ("phone at 91 m accuracy 60", true),
    ])
    func `Moving again means out of one and a half times the radius`(
        _ event: String, moves: Bool
    ) throws {
        let effects = try Timeline.effects(
            given: stuck, of: "10:06:10 \(event)", showing: .alerts)
        #expect(effects == (moves ? ["alert to family: moving"] : []))
    }

    @Test func `Whoever left the place in between was not stuck`() throws {
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

    @Test func `An inaccurate fix widens the circle for those after it`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:01:00 phone at 0 m accuracy 120
            10:03:00 phone at 119 m accuracy 5
            10:06:00 phone at 100 m accuracy 5
                alert to family: stuck
            10:06:10 phone at 179 m
            10:06:20 phone at 181 m
                alert to family: moving
            """)
    }

    @Test func `A second episode alerts again, each once`() throws {
        try Timeline.check(
            given: Opening.journey, showing: [.states, .alerts],
            """
            10:01:00 to 10:09:00 every 10 s phone at 0 m
                family v34: routing, at 0 m, warnings stuck
                alert to family: stuck
            10:09:10 phone at 60 m
            10:09:20 phone at 300 m
                family v54: routing, at 300 m
                alert to family: moving
            10:09:30 to 10:20:00 every 10 s phone at 300 m
                family v84: routing, at 300 m, warnings stuck
                alert to family: stuck
            """)
    }

    @Test func `Walking slowly is not being stuck`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            "10:01:00 to 10:31:00 every 10 s phone at 0 m +2 m")
    }

    @Test func `Two fixes with a hole between them are enough`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:00:10 phone at 10 m
            10:05:09 phone speaks
            10:05:10 phone at 12 m
                10:05:10 alert to family: silent
                alert to family: online
                alert to family: stuck
            """)
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

    @Test func `Backfilled fixes do not make anybody stuck, nor free`() throws {
        try Timeline.check(
            given: waiting, showing: .alerts,
            """
            10:08:30 phone at 0 m taken 10:06:29
            10:08:40 phone at 0 m taken 10:06:40
                alert to family: stuck
            10:08:50 phone at 400 m taken 10:06:30
            10:11:00 phone at 400 m taken 10:08:59
            """)
    }

    @Test func `At the destination nobody is stuck`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 500 m by 11:00:00 with family
                10:01:00 to 10:05:50 every 10 s phone at 460 m accuracy 201
                """,
            showing: .alerts,
            """
            10:06:00 phone at 460 m
                alert to family: journey-arrived
            """)
    }

    @Test func `Without a journey nobody is stuck`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family", showing: .alerts,
            "10:00:10 to 10:20:00 every 10 s phone at 0 m")
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 triggers SOS\n10:00:00 family acknowledges",
            showing: .alerts, "10:00:10 to 10:20:00 every 10 s phone at 0 m")
    }
}

import Testing
import Tracking

/// A person who starts where the journey goes has not arrived before having left: two fixes in
/// succession, for certain 50 m outside the radius. Until they have been 350 m outside it, and for a
/// person who starts nearer than that, an arrival takes a stay of five minutes.
struct RoundTripTests {
    private let start = "\(Opening.online)\n10:00:10 travels to 0 m by 11:00:00 with family"

    @Test func `A round trip ends when the person is back, not when it begins`() throws {
        try Timeline.check(
            given: start, showing: .alerts,
            """
            10:00:20 to 10:01:00 every 10 s phone at 0 m
            10:01:10 to 10:20:00 every 10 s phone at 0 m +14 m
            10:20:10 to 10:38:30 every 10 s phone at 1582 m +-14 m
            10:38:40 phone at 28 m
                alert to family: journey-arrived
            """)
    }

    @Test(arguments: [
        ("phone at 100 m", false), ("phone at 101 m", true),
        ("phone at 130 m accuracy 30", false), ("phone at 131 m accuracy 30", true),
        ("phone at 900 m accuracy 201", false),
    ])
    func `Two fixes outside are a departure`(_ away: String, hasLeft: Bool) throws {
        let effects = try Timeline.effects(
            given: """
                \(start)
                10:10:00 to 10:10:10 every 10 s \(away)
                10:11:00 to 10:15:50 every 10 s phone at 10 m
                """,
            of: "10:16:00 phone at 10 m", showing: .alerts)
        #expect(effects.contains("alert to family: journey-arrived") == hasLeft)
    }

    @Test func `A single fix outside is not a departure`() throws {
        try Timeline.check(
            given: start, showing: .alerts,
            """
            10:01:00 phone at 700 m
            10:01:10 phone at 0 m
            10:01:20 phone at 700 m
            10:01:30 to 10:02:00 every 10 s phone at 0 m
            """)
    }

    @Test func `A person who never leaves is late`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:10 travels to 0 m by 10:04:00 with family",
            showing: [.states, .alerts],
            """
            10:00:20 to 10:03:50 every 10 s phone at 0 m
            10:04:10 stops the journey
                10:04:00.001 family v26: routing, at 0 m, warnings late
                10:04:00.001 alert to family: late
                family v27: active, at 0 m
                alert to family: journey-stopped
            """)
    }

    @Test func `A large destination is left at its own edge`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:10 travels to 0 m within 5000 m by 11:00:00 with family
                """,
            showing: .alerts,
            """
            10:11:00 to 10:11:10 every 10 s phone at 5040 m
                10:05:10 alert to family: silent
                alert to family: online
            10:11:30 to 10:13:30 every 10 s phone at 4000 m
            10:14:00 to 10:14:10 every 10 s phone at 5051 m
            10:14:20 to 10:19:10 every 10 s phone at 4000 m
            10:19:20 phone at 4000 m
                alert to family: journey-arrived
            """)
    }

    /// What is known of the beginning: nothing, too old a position, an inconclusive one, a
    /// conclusive one.
    @Test(arguments: [
        ("10:00:00 phone speaks", "0 m", false),
        ("10:00:00 phone speaks", "900 m", true),
        ("09:44:59 phone at 900 m", "0 m", false),
        ("09:45:00 phone at 900 m", "0 m", true),
        ("09:59:00 phone at 900 m accuracy 2000", "0 m", false),
        ("09:59:00 phone at 70 m accuracy 30", "0 m", false),
        ("09:59:00 phone at 70 m", "0 m", true),
        ("09:59:00 phone at 0 m", "900 m", false),
    ])
    func `A journey begins at the last known position, or at the first fix`(
        _ before: String, _ first: String, arrives: Bool
    ) throws {
        let stage = try Timeline.stage(
            after: """
                09:40:00 joins family
                09:40:00 phone connects
                \(before)
                10:00:00 travels to 0 m by 10:40:00 with family
                10:01:00 phone at \(first)
                10:04:00 to 10:09:00 every 10 s phone at 0 m
                """)
        #expect((stage.tracker.journey == nil) == arrives)
    }

    @Test
    func `Late positions show the departure, and the arrival with the next live one`() throws {
        try Timeline.check(
            given: start, showing: .alerts,
            """
            10:10:00 to 10:10:10 every 10 s phone at 900 m taken 200 s ago
                10:05:10 alert to family: silent
            10:15:00 to 10:15:10 every 10 s phone at 0 m taken 200 s ago
            10:16:00 phone at 0 m
                alert to family: online
                alert to family: journey-arrived
            """)
    }
}

import Testing
import Tracking

/// Late: the server's clock passes the ETA before arrival, fix or no fix.
struct LateTests {
    @Test func `A person is late a millisecond after the ETA but not at it`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:04:00 with family
                """,
            """
            10:04:00
            10:04:00.001
                10:04:00.001 family v4: routing, at 0 m, warnings late
                10:04:00.001 alert to family: late
            10:04:50 phone at 10 m
                family v5 at 10 m
                path 1 grows
            """)
    }

    @Test func `An arrival at the ETA is on time`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 500 m by 10:04:00 with family
                10:03:50 phone at 500 m
                """,
            showing: .alerts,
            """
            10:04:00 phone at 500 m
                alert to family: journey-arrived
            10:05:00
            """)
    }

    @Test func `A late person still arrives`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 500 m by 10:04:00 with family
                """,
            """
            10:04:30 phone at 500 m
                10:04:00.001 family v4: routing, at 0 m, warnings late
                10:04:00.001 alert to family: late
                family v5 at 500 m
                path 1 grows
            10:04:40 phone at 500 m
                family v6: active, at 500 m
                path 1 grows
                alert to family: journey-arrived
                path 1 ends, withdrawn
            """)
    }

    @Test func `Extending the ETA ends the lateness, and passing the new one begins another`()
        throws
    {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:04:00 with family
                """,
            showing: [.states, .alerts],
            """
            10:04:30 extends to 10:06:00
                10:04:00.001 family v4: routing, at 0 m, warnings late
                10:04:00.001 alert to family: late
                family v5: routing, at 0 m
            10:04:50 phone at 0 m
            10:06:00
            10:07:00
                10:06:00.001 family v7: routing, at 0 m, warnings late
                10:06:00.001 alert to family: late
            10:08:00 extends to 10:08:00
                refused: eta-passed
            """)
    }

    @Test func `Extending in time prevents lateness`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:04:00 with family
                10:03:00 extends to 10:04:30
                """,
            showing: .alerts,
            """
            10:04:30
            10:04:31
                10:04:30.001 alert to family: late
            """)
    }

    @Test func `A shorter ETA also counts`() throws {
        try Timeline.check(
            given: "\(Opening.journey)\n10:00:10 extends to 10:01:00", showing: .alerts,
            """
            10:02:00
                10:01:00.001 alert to family: late
            """)
    }

    @Test func `A stopped journey is never late`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:04:00 with family
                10:03:00 stops the journey
                """,
            "10:20:00")
    }

    @Test func `Bad fixes do not prevent lateness`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 500 m by 10:02:00 with family
                """,
            showing: .alerts,
            """
            10:01:00 phone at 500 m accuracy 1000
            10:02:30 phone at 500 m taken 200 s ago
                10:02:00.001 alert to family: late
            """)
    }
}

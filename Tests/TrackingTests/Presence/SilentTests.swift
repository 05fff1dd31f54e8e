import Testing
import Tracking

/// Silent: connected, on a journey or in SOS, no fix for 300 s.
struct SilentTests {
    @Test func `Five minutes without a fix count as silence`() throws {
        try Timeline.check(
            given: Opening.journey,
            """
            10:01:00 phone at 10 m
                family v4 at 10 m
                path 1 grows
            10:05:59.999
            10:06:00
                10:06:00 family v5: routing, at 10 m, warnings silent
                10:06:00 alert to family: silent
            10:20:00 phone speaks
            10:30:00 phone at 100 m
                family v6: routing, at 100 m
                alert to family: online
                path 1 grows
            """)
    }

    @Test func `Messages without a fix do not prevent silence`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:00:10 to 10:05:00 every 10 s phone speaks
                10:05:00 alert to family: silent
            """)
    }

    @Test func `Silence is counted from the beginning of the journey`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:04:59 travels to 5000 m by 11:00:00 with family
                """,
            showing: .alerts,
            """
            10:09:58.999
            10:09:59
                10:09:59 alert to family: silent
            """)
    }

    @Test func `Old fixes do not end a silence`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:06:00 phone at 10 m taken 121 s ago
                10:05:00 alert to family: silent
            10:06:10 phone at 20 m taken 120 s ago
                alert to family: online
            """)
    }

    @Test func `An offline person is not silent`() throws {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .alerts,
            """
            10:30:00
                10:01:00 alert to family: offline
            """)
    }

    @Test func `A person who is not watched is not silent`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family", showing: .alerts,
            "10:30:00")
    }

    @Test func `Silence and then offline are two alerts, and the fix that ends both is one`() throws
    {
        try Timeline.check(
            given: Opening.journey, showing: [.states, .alerts],
            """
            10:05:30 phone disconnects
                10:05:00 family v4: routing, at 0 m, warnings silent
                10:05:00 alert to family: silent
            10:06:40
                10:05:35 family v5: routing, left, at 0 m, warnings silent
                10:06:30 family v6: routing, not online, at 0 m, warnings offline silent
                10:06:30 alert to family: offline
            10:10:00 phone at 10 m
                family v7: routing, at 10 m
                alert to family: online
            """)
    }

    @Test func `A connection ends being offline, and a fix ends the silence`() throws {
        try Timeline.check(
            given: """
                \(Opening.journey)
                10:05:30 phone disconnects
                10:06:40
                """,
            showing: [.states, .alerts],
            """
            10:10:00 phone connects
                family v7: routing, at 0 m, warnings silent
            10:10:10 phone at 10 m
                family v8: routing, at 10 m
                alert to family: online
            """)
    }

    /// Otherwise a phone that was away for a while would be silent the moment it returns, before it
    /// can send its position.
    @Test func `A returning person has five minutes for the first fix`() throws {
        try Timeline.check(
            given: """
                \(Opening.journey)
                10:00:30 phone disconnects
                """,
            showing: .alerts,
            """
            10:20:00 phone connects
                10:01:30 alert to family: offline
                alert to family: online
            10:24:59.999
            10:25:00
                10:25:00 alert to family: silent
            """)
    }

    @Test func `A removed device's last fix still counts`() throws {
        try Timeline.check(
            given: """
                \(Opening.journey)
                10:00:00 watch connects
                10:04:00 phone at 10 m
                10:04:30 phone is forgotten
                """,
            showing: .alerts,
            """
            10:08:59.999
            10:09:00
                10:09:00 alert to family: silent
            """)
    }

    @Test func `Silence in an emergency alerts all groups`() throws {
        try Timeline.check(
            given: """
                \(Opening.emergency)
                10:00:10 family acknowledges
                10:00:10 work acknowledges
                """,
            showing: .alerts,
            """
            10:06:00
                10:05:00 alert to family: silent
                10:05:00 alert to work: silent
            """)
    }
}

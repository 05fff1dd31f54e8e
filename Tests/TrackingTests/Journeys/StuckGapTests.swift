import Testing
import Tracking

/// A gap of more than 90 s without fixes is no evidence of standing still: after one, a person is
/// stuck if they are still there a minute after the first fix that follows.
struct StuckGapTests {
    @Test func `A recorder pause after which the person goes on is not reported`() throws {
        try Timeline.check(
            given: "\(Opening.journey)\n10:00:10 to 10:03:00 every 5 s phone at 0 m +10 m",
            showing: .alerts,
            """
            10:03:05 phone at 350 m
            10:15:00 phone at 352 m
                10:08:05 alert to family: silent
                alert to family: online
            10:15:05 to 10:18:00 every 5 s phone at 355 m +10 m
            """)
    }

    @Test func `A recorder pause after which the person stays is reported a minute later`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:01:00 to 10:01:30 every 5 s phone at 350 m
            10:06:00 to 10:06:55 every 5 s phone at 352 m
            10:07:00 phone at 352 m
                alert to family: stuck
            """)
    }

    @Test(arguments: [("10:06:00", true), ("10:06:00.001", false)])
    func `A gap of 90 s counts as standing still, a longer one does not`(
        _ resumed: String, isStuck: Bool
    ) throws {
        let effects = try Timeline.effects(
            given: """
                \(Opening.journey)
                10:01:00 to 10:04:30 every 10 s phone at 350 m
                """,
            of: "\(resumed) phone at 350 m", showing: .alerts)
        #expect(effects == (isStuck ? ["alert to family: stuck"] : []))
    }

    @Test func `Two pauses at one place with fixes between them are not reported`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:01:00 to 10:01:30 every 5 s phone at 350 m
            10:04:00 to 10:04:30 every 5 s phone at 350 m
            10:08:00 phone at 350 m
            10:08:05 to 10:11:00 every 5 s phone at 360 m +10 m
            """)
    }

    @Test
    func `A phone at one place that reports every quarter-hour is stuck with the third`() throws {
        try Timeline.check(
            given: """
                08:00:00 joins family
                08:00:00 phone connects
                08:00:00 to 10:00:00 every 900 s phone at 0 m
                10:00:00 travels to 90000 m by 23:00:00 with family
                """,
            showing: .alerts,
            """
            10:15:00 phone at 9000 m
            10:30:00 to 10:45:00 every 900 s phone at 9010 m
                alert to family: stuck
            """)
    }

    @Test func `A phone at one place that reports every minute is stuck after five`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:01:00 to 10:05:00 every 60 s phone at 350 m
            10:06:00 phone at 350 m
                alert to family: stuck
            """)
    }

    @Test func `A resting phone's silence is reported as silence, not as standing still`() throws {
        try Timeline.check(
            given: "\(Opening.journey)\n10:01:00 to 10:05:00 every 10 s phone at 350 m",
            showing: .alerts,
            """
            10:40:00
                10:10:00 alert to family: silent
            """)
    }
}

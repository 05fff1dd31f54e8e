import Testing
import Tracking

/// Nobody is judged by a silence that was ours.
struct DowntimeTests {
    @Test func `After a downtime everybody has the whole limit again`() throws {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .alerts,
            """
            10:00:30 the bridge goes deaf
            10:10:00 the bridge listens
            10:10:59.999
            10:11:00
                10:11:00 alert to family: offline
            """)
    }

    @Test func `A short one moves the limit by no more than itself`() throws {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .alerts,
            """
            10:00:10 the bridge goes deaf
            10:00:20 the bridge listens
            10:01:20
                10:01:20 alert to family: offline
            """)
    }

    @Test func `Silence waits as well`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:04:00 the bridge goes deaf
            10:20:00 the bridge listens
            10:24:59.999
            10:25:00
                10:25:00 alert to family: silent
            """)
    }

    @Test func `It waits for those, too, who never said where they are`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone connects
                10:00:00 travels to 5000 m by 11:00:00 with family
                """,
            showing: .alerts,
            """
            10:04:00 the bridge goes deaf
            10:20:00 the bridge listens
            10:25:00
                10:25:00 alert to family: silent
            """)
    }

    @Test func `A slow device has its own limit after a downtime, too`() throws {
        try Timeline.check(
            given: """
                08:00:00 joins family
                08:00:00 to 08:30:00 every 300 s phone at 0 m
                08:30:00 travels to 5000 m by 23:00:00 with family
                """,
            showing: .alerts,
            """
            08:31:00 the bridge goes deaf
            09:00:00 the bridge listens
            09:12:30
                09:12:30 alert to family: offline
            """)
    }

    @Test func `Late does not wait: the clock went on`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:05:00 with family
                """,
            showing: .alerts,
            """
            10:01:00 the bridge goes deaf
            10:10:00 the bridge listens
                at once: alert to family: late
            """)
    }

    @Test func `An SOS is repeated at once, and once`() throws {
        try Timeline.check(
            given: Opening.emergency, showing: .alerts,
            """
            10:00:30 the bridge goes deaf
            10:05:00 the bridge listens
                at once: alert to family: sos, repetition 1
                at once: alert to work: sos, repetition 1
            10:06:00
                10:06:00 alert to family: sos, repetition 2
                10:06:00 alert to work: sos, repetition 2
            """)
    }

    @Test func `Whoever was offline before is not told twice`() throws {
        try Timeline.check(
            given: "\(Opening.journeyWithoutConnection)\n10:02:00", showing: .alerts,
            """
            10:03:00 the bridge goes deaf
            10:10:00 the bridge listens
            10:30:00
            """)
    }
}

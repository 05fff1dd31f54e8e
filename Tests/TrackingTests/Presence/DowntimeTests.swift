import Testing
import Tracking

/// No one is judged by a silence of the service itself.
struct DowntimeTests {
    @Test func `A downtime restarts the whole limit`() throws {
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

    @Test func `A short downtime moves the limit by at most its own length`() throws {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .alerts,
            """
            10:00:10 the bridge goes deaf
            10:00:20 the bridge listens
            10:01:20
                10:01:20 alert to family: offline
            """)
    }

    @Test func `A downtime restarts the silence limit`() throws {
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

    @Test func `A downtime restarts the silence limit of a person without a position`() throws {
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

    @Test func `A slow device keeps its own limit after a downtime`() throws {
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

    @Test func `Lateness is reported at once after a downtime`() throws {
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

    @Test func `An SOS is repeated at once after a downtime, and only once`() throws {
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

    @Test func `A person who was offline before is not reported twice`() throws {
        try Timeline.check(
            given: "\(Opening.journeyWithoutConnection)\n10:02:00", showing: .alerts,
            """
            10:03:00 the bridge goes deaf
            10:10:00 the bridge listens
            10:30:00
            """)
    }
}

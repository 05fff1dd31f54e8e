import TestSupport
import Testing
import Tracking

/// In the first tenth of the planned time an arrival waits, and near the beginning it takes a stay:
/// a round trip does not arrive before it has begun.
struct EarlyArrivalTests {
    /// Runs begin some way from where they end, and pass it in their first minutes.
    @Test(arguments: [53, 100, 200, 290])
    func `A loop that begins near its end arrives when it ends`(begins metres: Int) throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone connects
                10:00:00 phone at \(metres) m
                10:00:00 travels to 0 m by 11:00:00 with family
                """,
            showing: .alerts,
            """
            10:00:10 to 10:08:00 every 10 s phone at \(metres) m +-\(metres / 10) m
            10:08:10 to 10:28:00 every 10 s phone at 1000 m +14 m
            10:28:10 to 10:49:40 every 10 s phone at 1900 m +-14 m
            10:50:00 phone at 40 m
            10:50:10 phone at 10 m
                alert to family: journey-arrived
            """)
    }

    @Test func `A short walk to a nearby place arrives by staying there`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 150 m by 10:10:00 with family",
            showing: .alerts,
            """
            10:00:10 to 10:02:00 every 10 s phone at 0 m +12.5 m
            10:02:10 to 10:06:30 every 10 s phone at 149 m
            10:06:40 phone at 149 m
                alert to family: journey-arrived
            """)
    }

    /// From a phone that reports every minute, every quarter of an hour, or when it comes to rest.
    @Test(arguments: [
        ("10:02:00 to 10:07:00 every 60 s phone at 149 m", "10:07:00"),
        ("10:09:00 phone at 149 m", "10:10:00.001"),
        ("10:02:00 phone at 149 m speed 0", "10:07:00"),
        ("10:02:00 phone at 149 m", "10:07:00"),
    ])
    func `A short walk with a phone that reports rarely arrives`(_ fixes: String, at moment: String)
        throws
    {
        var stage = try Timeline.stage(
            after: """
                \(Opening.online)
                10:00:00 travels to 150 m by 10:10:00 with family
                \(fixes)
                """)
        let arrived = try #require(Timestamp(clock: moment))
        if stage.tracker.journey != nil {
            let fired = stage.fire(until: arrived)
            #expect(fired?.at == arrived)
        } else {
            #expect(stage.tracker.latest?.takenAt == arrived)
        }
        #expect(stage.tracker.journey == nil)
    }

    @Test func `An arrival in the first tenth is reported after it if the person stays`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 900 m by 11:00:00 with family",
            showing: .alerts,
            """
            10:03:00 to 10:05:50 every 10 s phone at 900 m
            10:06:00 phone at 900 m
                alert to family: journey-arrived
            """)
    }

    @Test func `An arrival in the first tenth waits for the tenth and for the silent stay`() throws
    {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 900 m by 12:00:00 with family",
            showing: .alerts,
            """
            10:03:00 phone at 900 m speed 0
            11:00:00
                10:12:00 alert to family: journey-arrived
            """)
    }

    @Test func `A person passing the destination in the first tenth has not arrived`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 900 m by 11:00:00 with family",
            showing: .alerts,
            """
            10:03:00 to 10:03:30 every 10 s phone at 860 m +27 m
            10:03:40 to 10:08:00 every 10 s phone at 1000 m +27 m
            """)
    }

    @Test func `A new ETA moves the tenth`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 900 m by 11:00:00 with family
                10:03:00 to 10:03:10 every 10 s phone at 900 m
                10:03:15 extends to 10:30:00
                """,
            showing: .alerts,
            """
            10:03:20 phone at 900 m
                alert to family: journey-arrived
            """)
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 900 m by 10:20:00 with family
                10:01:00 extends to 11:00:00
                """,
            showing: .alerts,
            """
            10:04:50 to 10:05:50 every 10 s phone at 900 m
            10:06:00 phone at 900 m
                alert to family: journey-arrived
            """)
    }

    /// If the beginning is unknown, a person who is seen at the destination might not have left
    /// yet.
    @Test func `A single fix at the destination waits for the ETA if the start is unknown`() throws
    {
        let unknown = """
            10:00:00 joins family
            10:00:00 phone connects
            10:00:00 travels to 0 m by 10:30:00 with family
            """
        try Timeline.check(
            given: unknown, showing: .alerts,
            """
            10:04:00 to 10:29:50 every 10 s phone at 0 m speed 1
                alert to family: stuck
            10:30:10
                10:30:00.001 alert to family: journey-arrived
            """)
        try Timeline.check(
            given: unknown, showing: .alerts,
            """
            10:04:00 phone at 0 m
            10:40:00
                10:09:00 alert to family: silent
                10:30:00.001 alert to family: late
            """)
        // Seen in the first tenth, the person began there.
        try Timeline.check(
            given: unknown, showing: .alerts,
            """
            10:02:59 phone at 0 m
            10:04:00 to 10:29:50 every 10 s phone at 0 m
                alert to family: stuck
            10:30:10
                10:30:00.001 alert to family: late
            """)
    }
}

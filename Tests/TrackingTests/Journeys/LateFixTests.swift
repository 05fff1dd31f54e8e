import Testing
import Tracking

/// Fixes received long after they were taken, and apps' reports on the circles that they watch:
/// they raise no alarm, and prevent a false one.
struct LateFixTests {
    /// On the way from 5 km away, with 20 minutes to go; an arrival counts from 10:02 on.
    private let way = """
        \(Opening.online)
        10:00:00 travels to 5000 m by 10:20:00 with family
        10:02:00 to 10:10:00 every 60 s phone at 100 m +200 m
        """

    @Test(arguments: [
        "10:14:00 phone at 4990 m taken 10:11:00",
        "10:14:00 to 10:14:01 every 1 s phone at 4990 m taken 200 s ago",
        "10:14:00 phone at 4990 m speed 0 taken 10:11:00",
        "10:19:59 phone at 4990 m taken 10:17:00",
        "10:14:00 phone enters 5000 m within 100 m taken 10:11:00",
    ])
    func `An arrival known from late fixes by the ETA replaces the lateness`(_ late: String) throws
    {
        let effects = try Timeline.effects(
            given: "\(way)\n\(late)", of: "10:40:00", showing: .alerts)
        #expect(effects.count == 1)
        #expect(effects.first?.hasSuffix("alert to family: journey-arrived") == true)
    }

    @Test func `An arrival known from late fixes is reported with the next live one anywhere`()
        throws
    {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:14:00 to 10:14:10 every 10 s phone at 4990 m taken 200 s ago
            10:14:20 phone at 5400 m
                alert to family: journey-arrived
            """)
    }

    @Test func `An arrival by one late fix does not count if a live one contradicts it`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:14:00 phone at 4990 m taken 10:11:00
            10:14:20 phone at 5400 m
            10:20:10
                10:19:20 alert to family: silent
                10:20:00.001 alert to family: late
            """)
    }

    @Test func `A late fix older than one elsewhere is ignored`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:14:00 phone at 4990 m taken 10:09:30
            10:14:10 phone at 4990 m taken 10:09:50
            10:20:10
                10:15:00 alert to family: silent
                10:20:00.001 alert to family: late
            """)
    }

    @Test func `A late fix older than an inconclusive one counts`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:13:00 phone at 7000 m accuracy 3000
            10:14:00 to 10:14:10 every 10 s phone at 4990 m taken 160 s ago
            10:30:00
                10:19:10 alert to family: journey-arrived
            """)
    }

    @Test func `A late fix taken before the journey is not an arrival`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:10:00 travels to 5000 m by 10:20:00 with family
                """,
            showing: .alerts,
            """
            10:12:00 to 10:12:10 every 10 s phone at 5000 m taken 200 s ago
            10:12:30 phone at 1000 m
            10:20:10
                10:20:00.001 alert to family: late
            """)
    }

    /// The circle that the app watches, and whether it is the destination.
    @Test(arguments: [
        ("enters 5000 m within 100 m", true), ("enters 4951 m within 200 m", true),
        ("enters 4949 m within 200 m", false), ("enters 5000 m within 201 m", false),
        ("enters 5000 m within 20 m", true), ("leaves 5000 m within 100 m", false),
        ("enters 0 m within 100 m", false),
    ])
    func `An app's report of entering the destination counts if nothing follows it`(
        _ says: String, isThere: Bool
    ) throws {
        let effects = try Timeline.effects(
            given: "\(way)\n10:11:00 phone \(says)", of: "10:40:00", showing: .alerts)
        let told = isThere ? ["journey-arrived"] : ["silent", "late"]
        #expect(effects.map { $0.split(separator: " ").last.map(String.init) } == told)
    }

    @Test
    func `An app's report of entering the destination and a fix inside are an arrival`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:11:00 phone enters 5000 m within 100 m
            10:11:20 phone at 4980 m
                alert to family: journey-arrived
            """)
    }

    @Test func `An app's report of leaving the destination is accepted`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:11:00 phone at 4990 m
            10:12:00 phone leaves 5000 m within 100 m
            10:20:10
                10:16:00 alert to family: silent
                10:20:00.001 alert to family: late
            """)
    }

    @Test func `An app's report from a device that is not carried is ignored`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:11:00 tablet enters 5000 m within 100 m
            10:20:10
                10:15:00 alert to family: silent
                10:20:00.001 alert to family: late
            """)
    }
}

import Testing
import Tracking

/// Arrived: two fixes in succession within the destination's radius, of those with an accuracy of
/// 200 m or better, or one at rest.
struct ArrivalTests {
    @Test(arguments: [
        ("", "50 m", true),
        ("", "50.1 m", false),
        ("", "51 m", false),
        ("", "0 m", true),
        ("within 10 m ", "10 m", true),
        ("within 10 m ", "10.1 m", false),
        ("within 300 m ", "300 m", true),
        ("within 300 m ", "301 m", false),
        ("", "0 m accuracy 200", true),
        ("", "0 m accuracy 200.1", false),
        ("", "0 m accuracy 201", false),
        ("", "0 m accuracy 0", true),
        ("", "0 m taken 120 s ago", true),
        ("", "0 m taken 120.001 s ago", false),
        ("", "0 m taken 60 s ahead", true),
        ("", "0 m taken 10:01:58", false),
    ])
    func `A journey ends within the radius, by a good and fresh fix`(
        _ radius: String, _ fix: String, arrives: Bool
    ) throws {
        let effects = try Timeline.effects(
            given: """
                10:00:00 joins family
                10:00:00 phone at 900 m
                10:01:00 travels to 0 m \(radius)by 10:10:00 with family
                10:02:30 phone at 0 m taken 10:01:59
                """,
            of: "10:04:00 phone at \(fix)", showing: .alerts)
        #expect(effects.contains("alert to family: journey-arrived") == arrives)
    }

    @Test func `Destinations without a radius use that of the rules`() throws {
        var rules = Rules()
        rules.arrivalRadius = 80
        rules.usableAccuracy = 20
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone at 900 m
                10:00:00 travels to 0 m by 10:01:40 with family
                """,
            showing: .alerts,
            """
            10:00:10 phone at 81 m
            10:00:20 phone at 80 m accuracy 21
            10:00:30 phone at 80 m accuracy 20
            10:00:40 phone at 80 m accuracy 21
            10:00:50 phone at 80 m accuracy 20
                alert to family: journey-arrived
            """, rules: rules)
    }

    @Test func `A person who has arrived may start again at once`() throws {
        try Timeline.check(
            given: Opening.online,
            """
            10:00:00 travels to 500 m by 10:30:00 with family
                family v3: routing, at 0 m
                path 1 begins: journey, for family
                alert to family: journey-started
            10:03:50 phone at 470 m
                family v4 at 470 m
                path 1 grows
            10:04:00 phone at 480 m
                family v5: active, at 480 m
                path 1 grows
                alert to family: journey-arrived
                path 1 ends, withdrawn
            10:04:01 travels to 0 m by 11:00:00 with family
                family v6: routing, at 480 m
                path 2 begins: journey, for family
                alert to family: journey-started
            """)
    }

    @Test func `An arrival notifies exactly the groups of the journey`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 joins choir
                10:00:00 shares with choir
                10:00:00 travels to 500 m by 10:30:00 with family, work
                10:03:50 phone at 470 m
                """,
            """
            10:04:00 phone at 500 m
                family v5: active, at 500 m
                work v5: active, at 500 m
                choir v4 at 500 m
                path 1 grows
                alert to family: journey-arrived
                alert to work: journey-arrived
                path 1 ends, withdrawn
            """)
    }

    @Test func `A single fix at the destination is not an arrival`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 500 m by 11:00:00 with family",
            showing: .alerts,
            """
            10:01:00 phone at 500 m
            10:01:10 phone at 120 m
            10:01:20 phone at 500 m
            10:01:30 phone at 580 m accuracy 20
            10:01:40 phone at 500 m
            """)
    }

    @Test func `A fix that may be inside or outside counts neither for nor against arrival`() throws
    {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 500 m by 10:05:00 with family",
            showing: .alerts,
            """
            10:01:00 phone at 460 m accuracy 30
            10:01:10 to 10:01:30 every 10 s phone at 420 m accuracy 40
            10:01:40 phone at 460 m accuracy 30
                alert to family: journey-arrived
            """)
    }
}

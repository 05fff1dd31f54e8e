import Testing
import Tracking

/// Backfilled fixes, older than the newest known or more than 120 s behind the server's clock,
/// fill the path, raise no live alert and never move anyone back.
struct BackfillTests {
    @Test func `A past fix fills the path in order and moves no one back`() throws {
        try Timeline.check(
            given: Opening.journey,
            """
            10:00:10 phone at 10 m
                family v4 at 10 m
                path 1 grows
            10:00:40 phone at 40 m
                family v5 at 40 m
                path 1 grows
            10:00:50 phone at 20 m taken 10:00:20
                path 1 grows
                path 1 is republished from 10:00:20
            10:00:51 phone at 30 m taken 10:00:30
                path 1 grows
                path 1 is republished from 10:00:30
            10:00:52 phone at 5 m taken 10:00:05
                path 1 grows
                path 1 is republished from 10:00:05
            10:00:53 shows the path
                path: 5 m, 10 m, 20 m, 30 m, 40 m
            """)
    }

    @Test func `A burst after a tunnel moves the person forward, fix by fix`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone at 0 m
                10:00:00 travels to 5000 m by 11:00:00 with family
                10:00:10 phone at 10 m
                """,
            """
            10:10:00 phone at 20 m taken 10:00:20
                10:01:10 family v5: routing, not online, at 10 m, warnings offline
                10:01:10 alert to family: offline
                family v6: routing, at 20 m
                alert to family: online
                path 1 grows
            10:10:00 phone at 200 m taken 10:05:00
                family v7 at 200 m
                path 1 grows
            10:10:00 phone at 400 m taken 10:09:59
                family v8 at 400 m
                path 1 grows
            """)
    }

    @Test func `Fixes taken before the journey are not on its path`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone at 0 m taken 09:50:00
                10:00:00 travels to 5000 m by 11:00:00 with family
                """,
            showing: .paths,
            """
            10:00:10 phone at 10 m taken 09:55:00
            10:00:20 phone at 20 m taken 09:59:59.999
                path 1 grows
            10:02:10 phone at 30 m taken 10:00:00
                path 1 grows
            """)
    }

    @Test(arguments: [
        ("10:05:00 phone at 500 m taken 120 s ago", ["alert to family: journey-arrived"]),
        ("10:05:00 phone at 500 m taken 120.001 s ago", []),
        ("10:03:00 phone at 500 m taken 10:02:30", []),
        ("10:03:00 phone at 500 m taken 10:02:31", ["alert to family: journey-arrived"]),
    ])
    func `Only a live fix is an arrival`(_ event: String, alerts: [String]) throws {
        let effects = try Timeline.effects(
            given: """
                \(Opening.online)
                10:00:00 travels to 500 m by 10:20:00 with family
                10:02:30 phone at 500 m
                """,
            of: event, showing: .alerts)
        #expect(effects == alerts)
    }

    @Test func `Two devices of one person take turns by the time of their fixes`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family",
            """
            10:00:10 watch at 11 m taken 10:00:09
                family v4 at 11 m
            10:00:11 phone at 10 m taken 10:00:08
            10:00:12 phone at 12 m taken 10:00:09
            10:00:13 phone at 13 m taken 10:00:09.001
                family v5 at 13 m
            """)
    }

    @Test func `A clock that runs ahead wins until the others catch up`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family",
            """
            10:00:10 watch at 70 m taken 60 s ahead
                family v4 at 70 m
            10:01:10 phone at 10 m
            10:01:11 phone at 11 m
                family v5 at 11 m
            """)
    }

    @Test func `Points added in between may fill the last segment`() throws {
        try Timeline.check(
            given: """
                \(Opening.journey)
                10:00:02 to 10:02:06 every 2 s phone at 0 m +2 m
                """,
            showing: .paths,
            """
            10:02:07 phone at 1 m taken 10:00:03
                path 1 grows
                path 1 is republished from 10:00:03
            10:02:08 phone at 126 m
                path 1 grows
            10:02:09 phone at 3 m taken 10:00:05
                path 1 grows
                path 1 is republished from 10:00:05
            """)
    }
}

import TestSupport
import Testing
import Tracking

/// Whole scenarios of faults that other location services have.
struct FaultsElsewhereTests {
    @Test func `A phone that dies before its ETA still becomes late`() throws {
        try Timeline.check(
            given: Opening.twoGroups,
            """
            10:00:10 travels to 5000 m by 10:30:00 with family
                family v3: routing, at 0 m
                path 1 begins: journey, for family
                alert to family: journey-started
            10:04:30 phone at 390 m
                family v4 at 390 m
                path 1 grows
            10:05:00 phone at 400 m
                family v5 at 400 m
                path 1 grows
            10:05:10 phone disconnects
            11:00:00
                10:05:15 family v6: routing, left, at 400 m
                10:05:15 work v3: inactive, left, no position
                10:06:10 family v7: routing, not online, at 400 m, warnings offline
                10:06:10 work v4: inactive, not online, no position
                10:06:10 alert to family: offline
                10:30:00.001 family v8: routing, not online, at 400 m, warnings offline late
                10:30:00.001 alert to family: late
            """)
    }

    @Test func `Going offline while late still alerts`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:02:00 with family
                """,
            showing: [.states, .alerts],
            """
            10:03:00 phone disconnects
                10:02:00.001 family v4: routing, at 0 m, warnings late
                10:02:00.001 alert to family: late
            10:30:00
                10:03:05 family v5: routing, left, at 0 m, warnings late
                10:04:00 family v6: routing, not online, at 0 m, warnings offline late
                10:04:00 alert to family: offline
            """)
    }

    @Test func `Lateness is still detected after a stuck episode, and stuck after lateness`() throws
    {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:12:00 with family
                """,
            showing: .alerts,
            """
            10:01:00 to 10:07:00 every 10 s phone at 0 m
                alert to family: stuck
            10:07:10 to 10:07:15 every 5 s phone at 80 m
                alert to family: moving
            10:07:20 to 10:14:00 every 10 s phone at 200 m
                10:12:00.001 alert to family: late
                alert to family: stuck
            10:14:10 to 10:14:20 every 10 s phone at 300 m
                alert to family: moving
            """)
    }

    @Test func `Warnings coexist, each with its own end`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:04:00 with family
                10:00:10 to 10:06:00 every 10 s phone at 0 m
                """,
            showing: [.states, .alerts],
            """
            10:12:00 phone disconnects
                10:11:00 family v41: routing, at 0 m, warnings late stuck silent
                10:11:00 alert to family: silent
            10:14:00 phone connects
                10:12:05 family v42: routing, left, at 0 m, warnings late stuck silent
                10:13:00 family v43: routing, not online, at 0 m, warnings offline late stuck silent
                10:13:00 alert to family: offline
                family v44: routing, at 0 m, warnings late stuck silent
            10:14:10 phone at 10 m
                family v45: routing, at 10 m, warnings late stuck
                alert to family: online
            10:14:20 extends to 11:00:00
                family v46: routing, at 10 m, warnings stuck
            10:14:30 phone at 100 m
            10:14:40 phone at 100 m
                family v48: routing, at 100 m
                alert to family: moving
            """)
    }

    @Test func `No condition alerts twice`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 travels to 5000 m by 10:03:00 with family
                """,
            showing: .alerts,
            """
            10:00:10 to 10:20:00 every 5 s phone at 0 m
                10:03:00.001 alert to family: late
                alert to family: stuck
            10:20:10 phone disconnects
            12:00:00
                10:21:10 alert to family: offline
            """)
    }

    @Test func `A person in two shared groups is one person with two views`() throws {
        try Timeline.check(
            given: Opening.twoGroups,
            """
            10:00:10 shares with family
                family v3: active, at 0 m
            10:00:20 travels to 500 m by 10:10:00 with work
                work v3: routing, at 0 m
                path 1 begins: journey, for work
                alert to work: journey-started
            10:00:30 phone at 10 m
                family v4 at 10 m
                work v4 at 10 m
                path 1 grows
            10:00:40 travels to 500 m by 10:10:00 with family
                refused: already-on-a-journey
            10:00:50 stops sharing with family
                family v5: inactive, at 10 m
            10:02:00 phone at 490 m
                work v5 at 490 m
                path 1 grows
            10:02:10 phone at 500 m
                work v6: active, at 500 m
                path 1 grows
                alert to work: journey-arrived
                path 1 ends, withdrawn
            """)
    }

    @Test func `A group no longer shared with sees nothing newer, whatever happens elsewhere`()
        throws
    {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 shares with family
                10:00:10 stops sharing with family
                """,
            """
            10:00:20 travels to 500 m by 10:10:00 with work
                work v3: routing, at 0 m
                path 1 begins: journey, for work
                alert to work: journey-started
            10:00:30 phone at 10 m
                work v4 at 10 m
                path 1 grows
            10:00:40 phone at 20 m
                work v5 at 20 m
                path 1 grows
            10:00:50 stops the journey
                work v6: active, at 20 m
                alert to work: journey-stopped
                path 1 ends, withdrawn
            10:02:00 phone disconnects
            10:05:00
                10:02:05 family v5: inactive, left, at 0 m
                10:02:05 work v7: active, left, at 20 m
                10:03:00 family v6: inactive, not online, at 0 m
                10:03:00 work v8: active, not online, at 20 m
            """)
    }

    @Test func `An SOS after a long silence still has the last position`() throws {
        var stage = try Timeline.stage(
            after: "\(Opening.online)\n10:00:10 phone disconnects\n18:00:00")
        let now = try #require(Timestamp(clock: "18:00:00"))
        _ = stage.apply(.speaks(.phone), at: now)
        let alerts = stage.apply(.triggersSOS, at: now).alerts
        #expect(alerts.map(\.fix?.coordinate) == [Road.place(0)])
        #expect(alerts.map(\.fix?.takenAt) == [Timestamp(clock: "10:00:00")])
    }

    @Test func `The alert of a return has the new position`() throws {
        var stage = try Timeline.stage(after: "\(Opening.journeyWithoutConnection)\n10:05:00")
        let now = try #require(Timestamp(clock: "10:06:00"))
        let fix = Fix(coordinate: Road.place(700), takenAt: now, receivedAt: now)
        let alerts = stage.apply(.fix(fix, .phone), at: now).alerts
        #expect(alerts.map(\.kind) == [.online])
        #expect(alerts.map(\.fix) == [fix])
    }

    /// The bridge may be busy for a while: what was due first happens first.
    @Test func `A late timer has the same effects as one in time`() throws {
        var inTime = try Timeline.stage(after: Opening.journey)
        let will = try #require(Timestamp(clock: "10:04:50"))
        _ = inTime.apply(.disconnects(.phone), at: will)
        var late = inTime
        let end = will + .seconds(120)
        let kinds = inTime.pass(until: end).alerts.map(\.kind)
        #expect(kinds == [.silent, .offline])
        #expect(late.advance(to: end).alerts.map(\.kind) == kinds)
    }
}

import TestSupport
import Testing
import Tracking

/// An SOS due to vital signs that only some of the person's groups learn of.
struct ChosenGroupsTests {
    /// The family follows a journey.
    private static let journey = """
        \(Opening.twoGroups)
        10:00:00 travels to 5000 m by 10:10:00 with family
        10:00:10 phone at 10 m
        """

    @Test func `A call by the service for one of two groups reaches only that one`() throws {
        try Timeline.check(
            given: Opening.twoGroups,
            """
            10:00:10 is in need, for work
                work v3: sos, at 0 m
                path 1 begins: sos, for work
                alert to work: in-need
            10:00:20 is assisted
                work v4: sos, at 0 m
                alert to work: assisted
            10:00:30 phone at 10 m
                work v5 at 10 m
                path 1 grows
            10:01:10
                10:01:10 alert to work: in-need, repetition 1
            10:01:20 leaves work
                alert to work: sos-left
                path 1 ends, kept
            10:01:30 stops SOS
                refused: not-in-sos
            """)
        var stage = try Timeline.stage(after: Opening.twoGroups)
        let now = try #require(Timestamp(clock: "10:00:10"))
        _ = stage.apply(.isInNeed([.work]), at: now)
        #expect(stage.tracker.isOnlyGroupAlerted(.work))
        #expect(stage.tracker.visibleFix(in: .family) == nil)
    }

    @Test(arguments: [[], [GroupID.choir]])
    func `A call by the service reaches all groups if none of the chosen is left`(
        _ chosen: [GroupID]
    ) throws {
        var stage = try Timeline.stage(after: Opening.twoGroups)
        let now = try #require(Timestamp(clock: "10:00:10"))
        #expect(stage.apply(.isInNeed(chosen), at: now).alerts.map(\.group) == [.family, .work])
    }

    @Test func `A call by the person during one by the service reaches all groups`() throws {
        try Timeline.check(
            given: Opening.twoGroups,
            """
            10:00:10 is in need, for work
                work v3: sos, at 0 m
                path 1 begins: sos, for work
                alert to work: in-need
            10:00:20 triggers SOS
                family v3: sos, at 0 m
                work v4: sos, at 0 m
                path 1 is republished, whole: sos, for family, work
                alert to family: sos
                alert to work: sos
            10:00:30 triggers SOS
                refused: already-in-sos
            10:01:20
                10:01:20 alert to family: sos, repetition 1
                10:01:20 alert to work: sos, repetition 1
            10:01:30 stops SOS
                family v4: active, at 0 m
                work v5: active, at 0 m
                alert to family: sos-stopped
                alert to work: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `A call by the service leaves the person's own call in the other groups`() throws {
        try Timeline.check(
            given: Opening.twoGroups, showing: .alerts,
            """
            10:00:10 triggers SOS
                alert to family: sos
                alert to work: sos
            10:00:20 is in need, for work
                alert to work: in-need
            10:00:25 work acknowledges
            10:01:30
                10:01:10 alert to family: sos, repetition 1
            """)
    }

    @Test func `A journey continues for its group if that is not called`() throws {
        try Timeline.check(
            given: Self.journey,
            """
            10:01:00 is in need, for work
                work v3: sos, at 10 m
                path 1 is republished, whole: sos, for family, work
                alert to work: in-need
            10:01:10 phone at 20 m
                family v5 at 20 m
                work v4 at 20 m
                path 1 grows
            10:01:20 work acknowledges
            10:10:01
                10:06:10 family v6: routing, at 20 m, warnings silent
                10:06:10 work v5: sos, at 20 m, warnings silent
                10:06:10 alert to family: silent
                10:06:10 alert to work: silent
                10:10:00.001 family v7: routing, at 20 m, warnings late silent
                10:10:00.001 work v6: sos, at 20 m, warnings silent
                10:10:00.001 alert to family: late
            10:10:10 stops SOS
                work v7: active, at 20 m
                alert to work: sos-stopped
                path 1 is withdrawn from family
                path 1 ends, kept
                path 2 begins: journey, for family
            10:10:20 phone at 30 m
                family v8: routing, at 30 m, warnings late
                work v8 at 30 m
                alert to family: online
                path 2 grows
            """)
    }

    @Test func `A journey that arrives ends at once for groups unaware of the SOS`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 travels to 5000 m by 10:10:00 with family, work
                10:00:10 phone at 10 m
                10:01:00 is in need, for work
                10:01:10 phone at 4000 m
                10:01:20 phone at 5000 m
                """, showing: [.alerts, .paths],
            """
            10:01:40 phone at 5001 m
                path 1 grows
                alert to family: journey-arrived
                path 1 is withdrawn from family
            10:01:50 stops SOS
                alert to work: sos-stopped
                alert to work: journey-arrived
                path 1 ends, kept
            """)
    }

    @Test func `A journey late during an SOS is late for the groups in it afterwards`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 travels to 5000 m by 10:02:00 with family, work
                10:01:00 is in need, for work
                10:01:10 work acknowledges
                """, showing: .alerts,
            """
            10:02:10 phone at 20 m
                10:02:00.001 alert to family: late
            10:02:20 stops SOS
                alert to work: sos-stopped
                alert to work: late
            """)
    }

    @Test func `A journey stopped during an SOS of one group is over for both`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 travels to 5000 m by 10:10:00 with family, work
                10:01:00 is in need, for work
                """, showing: [.alerts, .paths],
            """
            10:01:10 stops the journey
                alert to family: journey-stopped
                path 1 is withdrawn from family
                alert to work: journey-stopped
            10:01:20 stops SOS
                alert to work: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `A journey also waits for followers whom the person calls`() throws {
        try Timeline.check(
            given: Self.journey + "\n10:01:00 is in need, for work", showing: [.alerts, .paths],
            """
            10:01:10 triggers SOS
                path 1 is republished, whole: sos, for family, work
                alert to family: sos
                alert to work: sos
            10:01:20 stops SOS
                alert to family: sos-stopped
                alert to work: sos-stopped
                path 1 ends, kept
                path 2 begins: journey, for family
            """)
    }

    @Test func `A journey continues without the SOS when the group in it is left`() throws {
        try Timeline.check(
            given: Self.journey + "\n10:01:00 is in need, for work", showing: [.alerts, .paths],
            """
            10:01:10 leaves work
                alert to work: sos-left
                path 1 is withdrawn from family
                path 1 ends, kept
                path 2 begins: journey, for family
            10:01:20 phone at 30 m
                path 2 grows
            """)
    }

    @Test func `A call does not reveal a journey to groups that do not follow it`() throws {
        var stage = try Timeline.stage(after: Self.journey)
        let now = try #require(Timestamp(clock: "10:01:00"))
        let call = try #require(stage.apply(.isInNeed([.work]), at: now).alerts.first)
        #expect(call.eta == nil && !call.journeyWaits)
        #expect(stage.tracker.followedJourney(in: .family) != nil)
        #expect(stage.tracker.followedJourney(in: .work) == nil)
    }

    @Test func `A pause during an SOS of one group continues for the others and after it`() throws {
        var stage = try Timeline.stage(
            after: Opening.twoGroups + "\n10:00:00 shares with family, work")
        let now = try #require(Timestamp(clock: "10:00:10"))
        _ = try stage.tracker.pause(until: now + .seconds(600), at: now)
        func states() -> [String] { stage.tracker.sessions.map(\.state.name) }
        _ = stage.apply(.isInNeed([.work]), at: now)
        #expect(states() == ["inactive", "sos"] && stage.tracker.pausedUntil != nil)
        _ = stage.apply(.stopsSOS, at: now + .seconds(10))
        #expect(states() == ["inactive", "inactive"])
        _ = stage.pass(until: now + .seconds(601))
        #expect(states() == ["active", "active"] && stage.tracker.pausedUntil == nil)
    }
}

import TestSupport
import Testing
import Tracking

/// SOS: from any state, to all groups, with the path.
struct EmergencyTests {
    @Test func `An SOS reaches all groups with one request, shared with or not`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 joins choir
                10:00:00 shares with work
                """,
            """
            10:00:10 triggers SOS
                family v3: sos, at 0 m
                work v4: sos, at 0 m
                choir v2: sos, at 0 m
                path 1 begins: sos, for family, work, choir
                alert to family: sos
                alert to work: sos
                alert to choir: sos
            10:00:20 stops SOS
                family v4: active, at 0 m
                work v5: active, at 0 m
                choir v3: active, at 0 m
                alert to family: sos-stopped
                alert to work: sos-stopped
                alert to choir: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `A position sent with the call is in the alert and begins the path`() throws {
        try Timeline.check(
            given: Opening.online,
            """
            10:00:10 triggers SOS at 30 m
                family v3: sos, at 30 m
                path 1 begins: sos, for family
                path 1 grows
                alert to family: sos
            10:00:20 phone at 40 m
                family v4 at 40 m
                path 1 grows
            10:00:30 shows the path
                path: 30 m, 40 m
            """)
        var stage = try Timeline.stage(after: Opening.online)
        let now = try #require(Timestamp(clock: "10:00:10"))
        let fix = Fix(coordinate: Road.place(30), takenAt: now, receivedAt: now)
        let alerts = stage.apply(.triggersSOSWith(fix, .phone), at: now).alerts
        #expect(alerts.map(\.fix) == [fix])
    }

    @Test func `A refused call changes nothing and discards its position`() throws {
        let now = try #require(Timestamp(clock: "10:00:30"))
        let fix = Fix(coordinate: Road.place(30), takenAt: now, receivedAt: now)
        var nobody = Tracker(user: .ann)
        let before = nobody
        #expect(throws: Refusal.notAMember) {
            try nobody.triggerSOS(with: fix, from: .phone, at: now, Rules())
        }
        #expect(nobody == before)
        var called = try Timeline.stage(after: Opening.emergency).tracker
        let first = called
        #expect(throws: Refusal.alreadyInSOS) {
            try called.triggerSOS(with: fix, from: .phone, at: now, Rules())
        }
        #expect(called == first)
    }

    @Test func `A position sent with a call on a journey is on the path once`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .paths,
            """
            10:00:10 phone at 10 m
                path 1 grows
            10:00:20 triggers SOS at 20 m
                path 1 grows
                path 1 is republished, whole: sos, for family
            10:00:30 shows the path
                path: 10 m, 20 m
            """)
        let stage = try Timeline.stage(
            after: "\(Opening.journey)\n10:00:20 triggers SOS at 20 m")
        #expect(stage.tracker.path?.count == 1)
    }

    @Test func `An SOS on a journey continues its path and number, for all groups`() throws {
        try Timeline.check(
            given: """
                \(Opening.twoGroups)
                10:00:00 travels to 5000 m by 10:02:00 with family
                10:00:10 phone at 10 m
                """,
            """
            10:00:20 triggers SOS
                family v5: sos, at 10 m
                work v3: sos, at 10 m
                path 1 is republished, whole: sos, for family, work
                alert to family: sos
                alert to work: sos
            10:00:30 phone at 20 m
                family v6 at 20 m
                work v4 at 20 m
                path 1 grows
            10:00:40 shows the path
                path: 10 m, 20 m
            10:00:50 stops SOS
                family v7: routing, at 20 m
                work v5: active, at 20 m
                alert to family: sos-stopped
                alert to work: sos-stopped
                path 1 ends, kept
                path 2 begins: journey, for family
            """)
    }

    @Test func `Leaving a group ends the SOS there but not elsewhere`() throws {
        try Timeline.check(
            given: Opening.emergency,
            """
            10:00:10 leaves family
                alert to family: sos-left
                path 1 is withdrawn from family
            10:00:20 phone at 10 m
                work v4 at 10 m
                path 1 grows
            10:01:30 stops SOS
                10:01:00 alert to work: sos, repetition 1
                work v5: active, at 10 m
                alert to work: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `Leaving the last group ends the emergency, and the next can begin`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 triggers SOS",
            """
            10:00:10 leaves family
                alert to family: sos-left
                path 1 ends, kept
            10:05:00 stops SOS
                refused: not-in-sos
            10:05:10 triggers SOS
                refused: not-a-member
            10:05:20 joins work
                work v4: inactive, no position
            10:05:30 triggers SOS
                work v5: sos, at 0 m
                path 2 begins: sos, for work
                alert to work: sos
            """)
    }

    @Test func `A group joined during an SOS can be called too`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 triggers SOS\n10:00:05 joins work",
            """
            10:00:10 calls work as well
                work v2: sos, at 0 m
                path 1 is republished, whole: sos, for family, work
                alert to work: sos
            10:00:11 calls work as well
            10:00:20 phone at 10 m
                family v4 at 10 m
                work v3 at 10 m
                path 1 grows
            10:01:09 family acknowledges
                10:01:00 alert to family: sos, repetition 1
            10:01:30 stops SOS
                10:01:10 alert to work: sos, repetition 1
                family v5: active, at 10 m
                work v4: active, at 10 m
                alert to family: sos-stopped
                alert to work: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `No further group is called without an emergency`() throws {
        try Timeline.check(
            given: Opening.online,
            """
            10:00:10 calls family as well
            """)
    }

    @Test func `A group is the only one alerted once the others are left`() throws {
        let (family, work) = (GroupID.family, GroupID.work)
        var stage = try Timeline.stage(after: Opening.emergency)
        #expect(
            !stage.tracker.isOnlyGroupAlerted(family) && !stage.tracker.isOnlyGroupAlerted(work))
        _ = stage.tracker.leave(family, at: try #require(Timestamp(clock: "10:00:10")))
        #expect(stage.tracker.isOnlyGroupAlerted(work))
        _ = try stage.tracker.stopSOS(at: try #require(Timestamp(clock: "10:00:20")))
        #expect(!stage.tracker.isOnlyGroupAlerted(work))
    }

    @Test func `A group that the person was added to during an SOS is not part of it`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 triggers SOS",
            """
            10:00:10 joins work
                work v1: inactive, no position
            10:00:20 phone at 10 m
                family v4 at 10 m
                path 1 grows
            10:00:30 shares with work
                work v2: active, at 10 m
            10:00:40 stops sharing with work
                work v3: inactive, at 10 m
            10:00:50 stops SOS
                family v5: active, at 10 m
                alert to family: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `Other requests do not end an SOS`() throws {
        try Timeline.check(
            given: Opening.emergency, showing: [.states, .alerts],
            """
            10:00:10 stops sharing with family
                refused: already-in-sos
            10:00:20 stops the journey
                refused: not-on-a-journey
            10:00:30 shares with family, work
            10:00:40 travels to 500 m by 11:00:00 with family
                refused: already-in-sos
            """)
    }
}

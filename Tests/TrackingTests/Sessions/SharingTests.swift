import TestSupport
import Testing
import Tracking

/// Sharing per group, and what a group keeps when it ends.
struct SharingTests {
    @Test func `A group keeps the last position, frozen, when sharing stops`() throws {
        try Timeline.check(
            given: Opening.twoGroups,
            """
            10:00:10 shares with family, work
                family v3: active, at 0 m
                work v3: active, at 0 m
            10:00:20 phone at 10 m
                family v4 at 10 m
                work v4 at 10 m
            10:00:30 stops sharing with family
                family v5: inactive, at 10 m
            10:00:40 phone at 20 m
                work v5 at 20 m
            10:00:50 phone at 15 m taken 10:00:25
            10:01:00 shares with family
                family v6: active, at 20 m
            """)
    }

    @Test func `A frozen position keeps the time at which it was taken`() throws {
        let stage = try Timeline.stage(
            after: """
                \(Opening.online)
                10:00:10 shares with family
                10:00:20 phone at 10 m taken 10:00:15
                10:00:30 stops sharing with family
                10:00:40 phone at 20 m
                """)
        let session = try #require(stage.tracker.session(in: .family))
        let fix = try #require(stage.tracker.visibleFix(in: session))
        #expect(fix.coordinate == Road.place(10))
        #expect(fix.takenAt == Timestamp(clock: "10:00:15"))
        #expect(fix.receivedAt == Timestamp(clock: "10:00:20"))
        #expect(session.since == Timestamp(clock: "10:00:30"))
        #expect(stage.tracker.latest?.coordinate == Road.place(20))
    }

    @Test func `A group never shared with has no position`() throws {
        try Timeline.check(
            """
            10:00:00 joins family
                family v1: inactive, not online, no position
            10:00:00 phone at 0 m
                family v2: inactive, no position
            10:00:10 shares with family
                family v3: active, at 0 m
            """)
    }

    @Test func `Stopping twice has no further effect`() throws {
        try Timeline.check(
            given: "\(Opening.twoGroups)\n10:00:00 shares with family",
            """
            10:00:10 stops sharing with family, work
                family v4: inactive, at 0 m
            10:00:20 stops sharing with family, work
            """)
    }

    @Test func `A group that is left sees nothing more, and one that is joined no position`() throws
    {
        try Timeline.check(
            given: "\(Opening.twoGroups)\n10:00:00 shares with family, work",
            """
            10:00:10 leaves family
            10:00:20 phone at 10 m
                work v4 at 10 m
            10:00:30 stops sharing with family
                refused: not-a-member
            10:00:40 leaves family
            10:00:50 joins work
            10:01:00 joins choir
                choir v4: inactive, no position
            """)
    }

    @Test func `A member who returns to a group continues its versions`() throws {
        try Timeline.check(
            given: Opening.online,
            """
            10:00:10 shares with family
                family v3: active, at 0 m
            10:00:20 leaves family
            10:00:30 joins family
                family v4: inactive, no position
            """)
    }

    @Test func `The time of a state is that of its beginning`() throws {
        let events = """
            \(Opening.online)
            10:00:10 shares with family
            10:00:20 phone at 10 m
            10:00:30 phone disconnects
            10:05:00
            """
        let stage = try Timeline.stage(after: events)
        #expect(stage.tracker.session(in: .family)?.since == Timestamp(clock: "10:00:10"))
    }

    @Test func `A journey without groups is refused`() throws {
        var stage = try Timeline.stage(after: Opening.online)
        let now = try #require(Timestamp(clock: "10:01:00"))
        let journey = Event.startsJourney(
            Destination(coordinate: Road.place(500)), eta: now + .seconds(60), [])
        #expect(stage.apply(journey, at: now) == .refused(.notAMember))
        #expect(stage.tracker.journey == nil)
    }
}

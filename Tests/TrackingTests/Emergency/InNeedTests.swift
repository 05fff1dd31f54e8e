import TestSupport
import Testing
import Tracking

/// An SOS that the service calls because of a person's vital signs.
struct InNeedTests {
    @Test func `A call in need is an SOS with its own reason, and help is reported once`() throws {
        try Timeline.check(
            given: Opening.online,
            """
            10:00:10 is in need
                family v3: sos, at 0 m
                path 1 begins: sos, for family
                alert to family: in-need
            10:00:20 is assisted
                family v4: sos, at 0 m
                alert to family: assisted
            10:00:30 is assisted
            10:01:10 phone at 0 m
                10:01:10 alert to family: in-need, repetition 1
                family v5 at 0 m
                path 1 grows
            10:01:20 stops SOS
                family v6: active, at 0 m
                alert to family: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `A call in need during the person's own SOS alerts the groups again`() throws {
        var stage = try Timeline.stage(after: Opening.online)
        let now = try #require(Timestamp(clock: "10:00:30"))
        #expect(stage.apply(.triggersSOS, at: now).alerts.map(\.kind) == [.sos])
        let later = now + .seconds(5)
        #expect(stage.apply(.isAssisted, at: later).alerts.map(\.kind) == [.assisted])
        #expect(stage.apply(.isInNeed([]), at: later).alerts.map(\.kind) == [.inNeed])
        let emergency = try #require(stage.tracker.emergency)
        #expect(emergency.cause == .person && emergency.assistedAt == nil)
        #expect(emergency.startedAt == now && emergency.calledAt == later)
    }

    @Test func `A group called later gets the reason, and no one is called without groups`() throws
    {
        let now = try #require(Timestamp(clock: "10:00:30"))
        var alone = Stage()
        #expect(alone.apply(.isInNeed([]), at: now) == .refused(.notAMember))
        #expect(alone.apply(.isAssisted, at: now).alerts == [])
        var stage = try Timeline.stage(after: Opening.online)
        _ = stage.apply(.isInNeed([]), at: now)
        _ = stage.apply(.joins(.work), at: now)
        #expect(stage.apply(.calls(.work), at: now).alerts.map(\.kind) == [.inNeed])
    }
}

import TestSupport
import Testing
import Tracking

/// A journey waits during an SOS and continues after it.
struct WaitingJourneyTests {
    private static let journey = """
        \(Opening.twoGroups)
        10:00:00 travels to 5000 m by 10:10:00 with family
        10:00:10 phone at 10 m
        """

    @Test func `A journey after an SOS is late as before`() throws {
        try Timeline.check(
            given: Self.journey, showing: [.states, .alerts],
            """
            10:01:00 triggers SOS
                family v5: sos, at 10 m
                work v3: sos, at 10 m
                alert to family: sos
                alert to work: sos
            10:01:30 stops SOS
                family v6: routing, at 10 m
                work v4: active, at 10 m
                alert to family: sos-stopped
                alert to work: sos-stopped
            10:10:01 phone at 100 m
                10:06:30 family v7: routing, at 10 m, warnings silent
                10:06:30 alert to family: silent
                10:10:00.001 family v8: routing, at 10 m, warnings late silent
                10:10:00.001 alert to family: late
                family v9: routing, at 100 m, warnings late
                alert to family: online
            """)
    }

    @Test func `A journey whose ETA falls into an SOS is late after it`() throws {
        try Timeline.check(
            given: Self.journey, showing: .alerts,
            """
            10:09:30 triggers SOS
                10:05:10 alert to family: silent
                alert to family: sos
                alert to work: sos
            10:10:15 phone at 20 m
                alert to family: online
                alert to work: online
                alert to family: sos, repetition 1
                alert to work: sos, repetition 1
            10:10:20 stops SOS
                alert to family: sos-stopped
                alert to work: sos-stopped
                at once: alert to family: late
            10:10:30
            """)
    }

    @Test func `A journey whose destination is reached during an SOS ends with it`() throws {
        try Timeline.check(
            given: Self.journey, showing: [.alerts, .paths],
            """
            10:01:00 triggers SOS
                path 1 is republished, whole: sos, for family, work
                alert to family: sos
                alert to work: sos
            10:01:10 phone at 4000 m
                path 1 grows
            10:01:20 phone at 5000 m
                path 1 grows
            10:01:40 phone at 5001 m
                path 1 grows
            10:01:50 stops SOS
                alert to family: sos-stopped
                alert to work: sos-stopped
                alert to family: journey-arrived
                path 1 ends, kept
            """)
    }

    @Test func `A journey stopped during an SOS does not continue`() throws {
        try Timeline.check(
            given: Self.journey, showing: .alerts,
            """
            10:01:00 triggers SOS
                alert to family: sos
                alert to work: sos
            10:01:10 stops the journey
                alert to family: journey-stopped
            10:01:20 stops the journey
                refused: not-on-a-journey
            10:01:30 stops SOS
                alert to family: sos-stopped
                alert to work: sos-stopped
            10:20:00 phone at 20 m
            """)
    }

    @Test func `A journey whose group is left during an SOS does not continue`() throws {
        try Timeline.check(
            given: Self.journey, showing: [.alerts, .paths],
            """
            10:01:00 triggers SOS
                path 1 is republished, whole: sos, for family, work
                alert to family: sos
                alert to work: sos
            10:01:10 leaves family
                alert to family: sos-left
                path 1 is withdrawn from family
            10:01:30 stops SOS
                alert to work: sos-stopped
                path 1 ends, kept
            """)
    }

    @Test func `A journey extended during an SOS is late at its last ETA`() throws {
        try Timeline.check(
            given: Self.journey, showing: .alerts,
            """
            10:01:00 triggers SOS
                alert to family: sos
                alert to work: sos
            10:01:10 extends to 10:12:00
            10:01:30 stops SOS
                alert to family: sos-stopped
                alert to work: sos-stopped
            10:11:00 phone at 20 m
                10:06:30 alert to family: silent
                alert to family: online
            10:12:01
                10:12:00.001 alert to family: late
            """)
    }

    @Test func `An SOS on a journey mentions it only to the groups that follow it`() throws {
        var stage = try Timeline.stage(after: Self.journey)
        let now = try #require(Timestamp(clock: "10:01:00"))
        let calls = stage.apply(.triggersSOS, at: now).alerts
        #expect(calls.map(\.journeyWaits) == [true, false])
        #expect(calls.map { $0.eta != nil } == [true, false])
        #expect(stage.tracker.followedJourney(in: .family) != nil)
        #expect(stage.tracker.followedJourney(in: .work) == nil)
        #expect(stage.tracker.plannedJourney?.number == 1)
    }
}

import Testing
import Tracking

/// Offline: no connection of any of the person's devices and no message for 60 s, or a last will
/// not followed by a return within that time.
struct OfflineTests {
    @Test func `A person is offline after sixty seconds without a message or a connection`() throws
    {
        try Timeline.check(
            given: Opening.journeyWithoutConnection,
            """
            10:00:10 phone at 10 m
                family v4 at 10 m
                path 1 grows
            10:01:09.999
            10:01:10
                10:01:10 family v5: routing, not online, at 10 m, warnings offline
                10:01:10 alert to family: offline
            10:30:00
            """)
    }

    @Test func `A person is offline sixty seconds after a last will`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:02:00 phone disconnects
            10:02:59.999
            10:03:00
                10:03:00 alert to family: offline
            """)
    }

    @Test func `A connected device is not offline, however quiet`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            10:59:00
                10:05:00 alert to family: silent
            """)
    }

    @Test func `A return in time raises no alert`() throws {
        try Timeline.check(
            given: Opening.journey,
            """
            10:00:50 phone disconnects
            10:01:49 phone connects
                10:00:55 family v4: routing, left, at 0 m
                family v5: routing, at 0 m
            10:04:00 phone disconnects
            10:04:59 phone speaks
                10:04:05 family v6: routing, left, at 0 m
                family v7: routing, at 0 m
            """)
    }

    @Test func `Presence shows the end of the last connection five seconds after it`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .states,
            """
            10:02:00 phone disconnects
            10:02:04.999 phone connects
            10:03:00 phone disconnects
            10:03:05
                10:03:05 family v4: routing, left, at 0 m
            10:03:10 phone speaks
                family v5: routing, at 0 m
            10:03:15
                10:03:15 family v6: routing, left, at 0 m
            10:03:20 phone connects
                family v7: routing, at 0 m
            10:04:00 phone disconnects
            10:04:00 watch connects
            10:05:00 watch disconnects
                10:05:00 family v8: routing, at 0 m, warnings silent
            10:07:00
                10:05:05 family v9: routing, left, at 0 m, warnings silent
                10:06:00 family v10: routing, not online, at 0 m, warnings offline silent
            """)
    }

    @Test func `Presence of a phone that was never connected does not mention a connection`() throws
    {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .states,
            """
            10:00:10 phone at 10 m
            10:00:50
            """)
    }

    @Test(arguments: ["phone connects", "phone speaks", "phone at 0 m", "watch connects"])
    func `Any sign of life ends an offline episode, once`(_ word: String) throws {
        let effects = try Timeline.effects(
            given: """
                \(Opening.journeyWithoutConnection)
                10:02:00
                """,
            of: "10:02:10 \(word)", showing: [.states, .alerts])
        #expect(effects == ["family v5: routing, at 0 m", "alert to family: online"])
    }

    @Test func `An old fix is also a sign of life`() throws {
        try Timeline.check(
            given: "\(Opening.journeyWithoutConnection)\n10:05:00", showing: .alerts,
            """
            10:05:10 phone at 10 m taken 10:00:30
                alert to family: online
            """)
    }

    @Test func `Each episode alerts once`() throws {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .alerts,
            """
            10:02:00
                10:01:00 alert to family: offline
            10:04:00 phone at 10 m
                alert to family: online
            10:04:10 phone at 20 m
            10:20:00
                10:05:10 alert to family: offline
            """)
    }

    @Test func `A change of presence is reported once, in any group and in none`() {
        var tracker = Tracker(user: UserID(rawValue: 1))
        let (phone, watch) = (DeviceID(rawValue: 1), DeviceID(rawValue: 2))
        let (rules, noon) = (Rules(), Timestamp(milliseconds: 43_200_000))
        func advance(_ seconds: Int) -> [Effect] {
            tracker.advance(to: noon + .seconds(seconds), listeningSince: noon, rules)
        }
        #expect(tracker.connect(phone, at: noon) == [.presenceChanged(isOnline: true)])
        #expect(tracker.connect(watch, at: noon) == [])
        #expect(tracker.disconnect(phone, at: noon + .seconds(1)) == [])
        #expect(tracker.disconnect(watch, at: noon + .seconds(2)) == [])
        #expect(advance(61) == [])
        #expect(tracker.hear(phone, at: noon + .seconds(61)) == [])
        #expect(advance(120) == [])
        #expect(advance(121) == [.presenceChanged(isOnline: false)])
        #expect(advance(122) == [])
        #expect(tracker.hear(phone, at: noon + .seconds(123)) == [.presenceChanged(isOnline: true)])
    }

    @Test func `A person with two devices is offline only when both are gone`() throws {
        try Timeline.check(
            given: "\(Opening.journey)\n10:00:00 watch connects", showing: [.states, .alerts],
            """
            10:00:10 phone disconnects
            10:02:00 watch disconnects
            10:03:00
                10:02:05 family v4: routing, left, at 0 m
                10:03:00 family v5: routing, not online, at 0 m, warnings offline
                10:03:00 alert to family: offline
            10:03:10 watch connects
                family v6: routing, at 0 m
                alert to family: online
            10:03:20 phone connects
            """)
    }

    @Test func `A removed device is not waited for`() throws {
        try Timeline.check(
            given: "\(Opening.journey)\n10:00:00 watch connects\n10:00:10 watch disconnects",
            showing: .alerts,
            """
            10:04:00 phone is forgotten
                at once: alert to family: offline
            """)
    }

    @Test func `All groups see presence, but only watching groups are alerted`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 joins work
                10:00:00 joins choir
                10:00:00 phone at 0 m
                10:00:00 shares with work
                10:00:00 travels to 5000 m by 11:00:00 with family
                """,
            """
            10:02:00
                10:01:00 family v4: routing, not online, at 0 m, warnings offline
                10:01:00 work v4: active, not online, at 0 m
                10:01:00 choir v3: inactive, not online, no position
                10:01:00 alert to family: offline
            10:03:00 phone speaks
                family v5: routing, at 0 m
                work v5: active, at 0 m
                choir v4: inactive, no position
                alert to family: online
            """)
    }

    @Test func `An offline person in an SOS alerts the groups, acknowledged or not`() throws {
        try Timeline.check(
            given: """
                \(Opening.emergency)
                10:00:10 family acknowledges
                10:00:10 work acknowledges
                10:00:20 phone disconnects
                """,
            showing: .alerts,
            """
            10:10:00
                10:01:20 alert to family: offline
                10:01:20 alert to work: offline
            10:10:01 phone at 10 m
                alert to family: online
                alert to work: online
            """)
    }

    /// A broker publishes wills of devices that never sent a message to this service.
    @Test func `The will of a device that was not connected changes nothing`() throws {
        try Timeline.check(
            given: Opening.journeyWithoutConnection, showing: .alerts,
            """
            10:00:30 phone disconnects
            10:01:00
                10:01:00 alert to family: offline
            10:01:30 phone disconnects
            """)
    }
}

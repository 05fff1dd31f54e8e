import TestSupport
import Testing
import Tracking

/// The server's clock was set ahead, and back again: nothing waits for that time.
struct SetClockTests {
    @Test func `The next live fix is the newest, and older ones stay history`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family", showing: [.positions],
            """
            20:00:00 the clock is set
            20:00:10 phone at 10 m
                family v4 at 10 m
            10:00:30 the clock is set
            10:00:31 phone at 15 m taken 600 s ago
            10:00:35 phone at 20 m
                family v5 at 20 m
            10:00:36 phone at 25 m taken 5 s ago
            10:00:40 phone at 30 m
                family v6 at 30 m
            """)
    }

    @Test func `A fix a minute ahead does not count as a changed clock`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 shares with family", showing: [.positions],
            """
            10:00:10 phone at 10 m taken 60 s ahead
                family v4 at 10 m
            10:00:20 watch at 20 m
            10:01:10 watch at 30 m
            10:01:11 watch at 40 m
                family v5 at 40 m
            """)
    }

    @Test func `Silence and absence are still detected`() throws {
        try Timeline.check(
            given: Opening.journey, showing: .alerts,
            """
            20:00:00 the clock is set
                at once: alert to family: late
            20:00:00 phone at 100 m
            20:00:10 phone at 200 m
            10:01:00 the clock is set
            10:07:00 phone disconnects
                10:06:00 alert to family: silent
            10:09:00
                10:08:00 alert to family: offline
            """)
    }

    @Test func `Lateness ends if the ETA is ahead again, and is reported once it passes`() throws {
        try Timeline.check(
            given: Opening.journey, showing: [.alerts, .states],
            """
            20:00:00 the clock is set
                at once: family v4: routing, at 0 m, warnings late
                at once: alert to family: late
            10:01:00 the clock is set
                family v5: routing, at 0 m
            10:01:00 extends to 10:02:00
                family v6: routing, at 0 m
            10:03:00
                10:02:00.001 family v7: routing, at 0 m, warnings late
                10:02:00.001 alert to family: late
            """)
    }

    @Test func `A person who does not move is still stuck`() throws {
        try Timeline.check(
            given: """
                \(Opening.journey)
                20:00:00 the clock is set
                20:00:00 phone at 100 m
                10:00:10 the clock is set
                """, showing: .alerts,
            """
            10:00:15 to 10:05:20 every 5 s phone at 100 m
                alert to family: stuck
            """)
    }

    @Test func `An SOS is still repeated`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                20:00:00 the clock is set
                20:00:00 triggers SOS
                10:00:30 the clock is set
                """, showing: .alerts,
            """
            10:02:45 phone at 0 m
                10:01:30 alert to family: sos, repetition 1
                10:02:30 alert to family: sos, repetition 2
                alert to family: sos, repetition 3
            """)
    }

    @Test func `A path keeps its points and continues to grow`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                20:00:00 the clock is set
                20:00:00 triggers SOS
                20:00:10 phone at 10 m
                10:00:30 the clock is set
                """, showing: [.paths],
            """
            10:00:40 phone at 20 m
                path 1 grows
                path 1 is republished from 10:00:40
            10:00:50 phone at 30 m
                path 1 grows
                path 1 is republished from 10:00:50
            10:03:50 phone at 25 m taken 150 s ago
                path 1 grows
                path 1 is republished from 10:01:20
            10:03:50 shows the path
                path: 20 m, 30 m, 25 m, 10 m
            """)
    }

    @Test func `A position turned off stays hidden, but newer fixes are shown`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 shares with family
                20:00:00 the clock is set
                20:00:10 phone at 10 m
                20:00:20 turns off
                10:00:30 the clock is set
                10:00:30 shares with family
                """, showing: [.positions],
            """
            10:00:31 phone at 15 m taken 5 s ago
            10:00:35 phone at 20 m
                family v7 at 20 m
            """)
    }

    @Test func `A reminder is not delayed`() throws {
        var rules = Rules()
        rules.remindAfter = .seconds(3600)
        try Timeline.check(
            given: """
                10:00:00 joins family
                20:00:00 the clock is set
                20:00:00 shares with family
                10:00:00 the clock is set
                """, showing: .alerts,
            """
            11:00:00
                11:00:00 reminder of sharing since 10:00:00
            """, rules: rules)
    }

    /// After any events by a clock that was ahead: once it is set back, a live fix moves the person
    /// and is a sign of life, and a minute of silence is detected.
    @Test(arguments: seeds)
    func `A clock that was wrong freezes no one`(_ seed: UInt64) throws {
        var stage = Stage()
        var events = RandomEvents(seed: seed)
        for _ in 0..<60 {
            let (at, event) = events.next()
            _ = stage.pass(until: at)
            _ = stage.apply(event, at: at)
        }
        let now = Timestamp(milliseconds: events.now.milliseconds - 86_400_000)
        _ = stage.apply(.clockIsSet, at: now)
        _ = stage.apply(.bridgeListens, at: now)
        for device in [DeviceID.phone, .watch, .tablet] {
            _ = stage.apply(.disconnects(device), at: now)
        }
        let fix = Fix(coordinate: Road.place(77), takenAt: now + .seconds(1), receivedAt: now)
        let device = stage.tracker.carriedDevice ?? .phone
        _ = stage.apply(.fix(fix, device), at: now + .seconds(1))
        #expect(stage.tracker.latest == fix)
        #expect(stage.tracker.isOnline)
        let due = try #require(
            stage.tracker.nextDue(listeningSince: stage.listeningSince, stage.rules))
        #expect(due <= now + stage.rules.longestPatience + .seconds(1))
        _ = stage.pass(until: now + stage.rules.longestPatience + .seconds(1))
        #expect(!stage.tracker.isOnline)
    }

    @Test func `A gap in the numbers is given up without delay`() {
        let noon = Timestamp(milliseconds: 1_795_262_400_000)
        var receipts = Receipts()
        receipts.note(1, isNew: true, at: noon + .seconds(86_400))
        receipts.note(3, isNew: true, at: noon + .seconds(86_400))
        receipts.note(4, isNew: true, at: noon)
        receipts.note(5, isNew: true, at: noon + .seconds(599))
        #expect(receipts.storedThrough == 1)
        receipts.note(6, isNew: true, at: noon + .seconds(600))
        #expect(receipts.storedThrough == 6)
    }
}

import TestSupport
import Testing
import Tracking

/// One good fix at the destination is an arrival if nothing contradicts it by the time at which the
/// groups would be alerted: by silence, or at the ETA. One at rest is an immediate arrival.
struct OneFixTests {
    /// On the way home from 5 km away, with 20 minutes to go; an arrival counts from 10:02 on.
    private let way = """
        \(Opening.online)
        10:00:00 travels to 5000 m by 10:20:00 with family
        10:00:20 to 10:03:40 every 20 s phone at 0 m +200 m
        """

    @Test func `A single good fix and then silence is an arrival instead of a silence`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:04:00 phone at 4997 m accuracy 6
            10:08:59.999
            10:30:00
                10:09:00 alert to family: journey-arrived
            """)
    }

    @Test func `A single good fix just before the ETA is an arrival instead of a lateness`() throws
    {
        try Timeline.check(
            given: """
                \(way)
                10:04:00 to 10:19:00 every 60 s phone at 100 m +200 m
                """,
            showing: .alerts,
            """
            10:19:50 phone at 4997 m accuracy 6
            10:30:00
                10:20:00.001 alert to family: journey-arrived
            """)
    }

    @Test func `A single good fix at rest is an arrival`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:04:00 phone at 4997 m accuracy 6 speed 0.5
                alert to family: journey-arrived
            """)
    }

    /// The only fix inside, and the alerts by the end of the hour.
    @Test(arguments: [
        ("5000 m accuracy 100", ["journey-arrived"]),
        ("5000 m accuracy 100.1", ["silent", "late"]),
        ("5000 m accuracy 2000", ["silent", "late"]),
        ("5000 m speed 5", ["journey-arrived"]),
        ("5000 m speed 5.1", ["silent", "late"]),
        ("5000 m accuracy 120 speed 0", ["silent", "late"]),
        ("5049 m", ["journey-arrived"]),
        ("5060 m accuracy 20", ["silent", "late"]),
    ])
    func `A fix that is inexact or of a person driving by is not an arrival`(
        _ fix: String, _ told: [String]
    ) throws {
        let effects = try Timeline.effects(
            given: "\(way)\n10:04:00 phone at \(fix)", of: "11:00:00", showing: .alerts)
        #expect(effects.map { $0.split(separator: " ").last.map(String.init) } == told)
    }

    @Test func `A single fix that a later one contradicts is not an arrival`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:04:00 phone at 4997 m accuracy 6
            10:04:20 phone at 5300 m
            10:30:00
                10:09:20 alert to family: silent
                10:20:00.001 alert to family: late
            """)
    }

    @Test func `A single fix contradicted by a later one received late is not an arrival`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:04:00 phone at 4997 m accuracy 6
            10:08:30 phone at 5300 m taken 10:06:00
            10:30:00
                10:09:00 alert to family: silent
                10:20:00.001 alert to family: late
            """)
    }

    @Test func `Silence at the destination without a connection raises no alarm`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone at 0 m
                10:00:00 travels to 5000 m by 10:20:00 with family
                10:00:20 to 10:03:40 every 20 s phone at 0 m +200 m
                """,
            showing: [.alerts, .states],
            """
            10:04:00 phone at 4997 m accuracy 6
            10:30:00
                10:05:00 family v16: routing, not online, at 4997 m
                10:09:00 family v17: active, not online, at 4997 m
                10:09:00 alert to family: journey-arrived
            """)
    }

    @Test func `Silence at the destination counts from the end of a downtime`() throws {
        try Timeline.check(
            given: way, showing: .alerts,
            """
            10:04:00 phone at 4997 m accuracy 6
            10:05:00 the bridge goes deaf
            10:12:00 the bridge listens
            10:30:00
                10:17:00 alert to family: journey-arrived
            """)
    }

    @Test func `A late person with one good fix arrives by silence`() throws {
        try Timeline.check(
            given: """
                \(way)
                10:04:00 to 10:24:00 every 60 s phone at 100 m +200 m
                """,
            showing: .alerts,
            """
            10:25:00 phone at 4997 m accuracy 6
            10:40:00
                10:30:00 alert to family: journey-arrived
            """)
    }

    @Test func `A person at the destination whose arrival is pending is not stuck`() throws {
        try Timeline.check(
            given: "\(Opening.online)\n10:00:00 travels to 5000 m by 13:20:00 with family",
            showing: .alerts,
            """
            10:04:50 to 10:19:50 every 10 s phone at 4997 m
            10:20:00 phone at 4997 m
                alert to family: journey-arrived
            """)
    }

    @Test func `A check-in at one place does not arrive by silence`() throws {
        var tracker = Tracker(user: .ann)
        let start = try #require(Timestamp(clock: "10:00:00"))
        _ = tracker.join(.family, at: start)
        _ = tracker.connect(.phone, at: start)
        _ = try tracker.startJourney(
            to: nil, eta: start + .seconds(1_200), with: [.family], at: start)
        let fix = Fix(
            coordinate: Road.place(0), takenAt: start, receivedAt: start, accuracy: 5, speed: 0)
        _ = tracker.receive(fix, from: .phone, at: start, Rules())
        let effects = tracker.advance(
            to: start + .seconds(3_600), listeningSince: start, Rules())
        let told = effects.compactMap {
            if case .alert(let alert, _) = $0 { alert.kind } else { nil }
        }
        #expect(told == [.silent, .late])
    }
}

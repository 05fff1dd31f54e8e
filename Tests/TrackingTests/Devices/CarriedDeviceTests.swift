import TestSupport
import Testing
import Tracking

/// Which of a person's devices gives their position: the one that they carry.
struct CarriedDeviceTests {
    /// The tracker after several devices' events, in order of time.
    private func tracker(after events: String) throws -> Tracker {
        var moments: [(at: Timestamp, event: Event)] = []
        for line in "10:00:00 joins family\n\(events)".split(separator: "\n") {
            moments += try EventParser(line).moments()
        }
        let inOrder = moments.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }
        var stage = Stage()
        for (at, event) in inOrder.map(\.element) {
            _ = stage.pass(until: at)
            _ = stage.apply(event, at: at)
        }
        return stage.tracker
    }

    /// The person's position in metres along the road, after the events.
    private func place(after events: String) throws -> Int? {
        try tracker(after: events).latest.map { Road.meters(to: $0.coordinate) }
    }

    private func carried(after events: String) throws -> DeviceID? {
        try tracker(after: events).carriedDevice
    }

    /// At home with a phone and a tablet, then at work with the phone.
    private let work = """
        10:00:00 to 10:30:00 every 60 s tablet at 0 m
        10:00:05 to 10:30:05 every 60 s phone at 2 m
        10:31:00 to 10:50:00 every 60 s phone at 0 m +500 m
        10:51:00 to 11:20:00 every 60 s phone at 9500 m
        """

    @Test(arguments: [
        // The phone's battery is empty, and a tablet at home does not put the person there.
        ("11:21:00 to 17:00:00 every 60 s tablet at 1 m", 9500),
        // The phone goes on, and so does the tablet.
        ("11:21:00 to 12:20:00 every 30 s tablet at 1 m\n12:21:00 phone at 9501 m", 9501),
        // Its Wi-Fi puts the tablet elsewhere for a while.
        ("11:21:00 to 11:29:00 every 60 s tablet at 800 m accuracy 20", 9500),
        // Back home, with the phone.
        ("11:30:00 to 11:50:00 every 60 s phone at 9500 m +-475 m", 0),
        // The tablet is taken along: the phone was forgotten at work.
        ("12:00:00 to 12:04:00 every 60 s tablet at 500 m +500 m", 2500),
        // The tablet comes to work, brought by someone else, while the phone moves.
        (
            """
            11:30:00 to 11:40:00 every 60 s phone at 9000 m +-100 m
            11:30:30 to 11:38:30 every 60 s tablet at 500 m +500 m
            """, 8000
        ),
        // A device lying there is not mistaken for the person either.
        ("11:21:00 to 11:25:00 every 60 s watch at 9510 m", 9500),
    ])
    func `A person after a day at work is where the carried device is`(
        _ events: String, meters: Int
    ) throws {
        #expect(try place(after: "\(work)\n\(events)") == meters)
    }

    @Test(arguments: [
        // A tablet that was there first is overruled by the first move,
        ("10:00:00 to 11:00:00 every 60 s tablet at 0 m\n11:00:05 phone at 20000 m", 20_000),
        // also where the move is seen only later.
        (
            """
            10:00:00 to 11:00:00 every 60 s tablet at 0 m
            11:00:05 phone at 40 m
            11:01:00 tablet at 1 m
            11:02:00 to 11:03:00 every 60 s phone at 600 m +600 m
            11:04:00 to 11:09:00 every 60 s tablet at 1 m
            """, 1200
        ),
        // The phone stays at home, the watch goes running.
        (
            """
            10:00:00 to 10:01:40 every 10 s phone at 0 m +10 m
            10:02:00 to 10:12:00 every 60 s phone at 100 m
            10:01:00 watch at 95 m
            10:12:10 to 10:14:30 every 10 s watch at 120 m +30 m
            10:15:00 to 10:20:00 every 60 s phone at 101 m
            """, 540
        ),
        // Back home, the watch is taken off, and the phone goes to work.
        (
            """
            10:00:00 to 10:05:00 every 10 s watch at 2000 m +-66 m
            10:05:05 to 11:05:05 every 60 s phone at 2 m
            11:06:00 to 11:16:00 every 60 s phone at 400 m +400 m
            11:06:30 to 11:20:30 every 60 s watch at 20 m
            """, 4400
        ),
        // The new phone, while the old one is in a drawer.
        (
            """
            10:00:00 to 10:10:00 every 60 s phone at 0 m +300 m
            10:11:00 to 10:20:00 every 60 s phone at 3000 m
            13:00:00 watch at 0 m
            """, 0
        ),
        // Both report at the same moments, the resting one always first.
        (
            """
            10:00:00 to 10:40:00 every 60 s phone at 0 m
            10:00:00 to 10:20:00 every 60 s watch at 1 m
            10:21:00 to 10:30:00 every 60 s watch at 300 m +300 m
            10:31:00 to 10:40:00 every 60 s watch at 3000 m
            """, 3000
        ),
        // The only device gives the person's position, however it got there.
        ("10:00:00 phone at 0 m\n12:00:00 phone at 20000 m", 20_000),
    ])
    func `A device that moves while the others rest is the person's`(_ events: String, meters: Int)
        throws
    {
        #expect(try place(after: events) == meters)
    }

    @Test func `A tablet at the destination is not an arrival while the phone is on its way`()
        throws
    {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 phone at 30000 m accuracy 8
                10:00:00 travels to 0 m by 11:00:00 with family
                """,
            showing: [.states, .positions, .alerts],
            """
            10:00:01 phone at 29950 m accuracy 8
                family v4 at 29951 m
            10:00:02 tablet at 0 m accuracy 15
            10:00:03 tablet at 1 m accuracy 15
            10:00:20 to 10:02:20 every 20 s tablet at 0 m accuracy 15
                10:01:01 family v5: routing, at 29951 m, warnings silent
                10:01:01 alert to family: silent
            """, rules: rules { $0.silentAfter = .seconds(60) })
    }

    @Test func `A phone that passes the tablet at the destination has not arrived`() throws {
        try Timeline.check(
            given: """
                10:00:00 joins family
                10:00:00 to 10:30:00 every 60 s tablet at 0 m
                10:00:00 to 10:40:00 every 60 s phone at 4000 m +-40 m
                10:40:00 travels to 0 m by 12:00:00 with family
                """,
            showing: .alerts,
            """
            10:41:00 to 10:47:00 every 60 s phone at 2400 m +-330 m
            10:41:30 to 10:49:30 every 10 s tablet at 0 m
            10:48:00 phone at 90 m
            10:49:00 phone at 80 m
            """)
    }

    @Test(arguments: [
        // The tablet on which the journey began, and a phone that someone else drives around.
        (
            """
            10:00:00 phone at 9000 m
            10:00:00 to 10:10:00 every 60 s tablet at 0 m
            10:10:01 acts on tablet
            10:10:01 travels to 5000 m by 12:00:00 with family
            10:11:00 to 10:59:00 every 60 s phone at 9000 m +200 m
            10:59:30 tablet at 1 m
            """, DeviceID.tablet
        ),
        // It stays at home, and the phone beside it goes.
        (
            """
            10:00:00 phone at 9 m
            10:00:00 to 10:10:00 every 60 s tablet at 0 m
            10:10:01 acts on tablet
            10:10:01 travels to 5000 m by 12:00:00 with family
            10:11:00 to 10:20:00 every 60 s phone at 9 m +200 m
            10:20:30 tablet at 1 m
            """, .phone
        ),
        // Both leave home, with two people, and the phone that set out reports more rarely.
        (
            """
            10:00:00 to 10:10:00 every 60 s tablet at 0 m
            10:00:05 phone at 2 m
            10:10:05 phone at 2 m
            10:10:30 acts on phone
            10:10:30 travels to 50000 m by 12:00:00 with family
            10:11:00 to 10:40:00 every 60 s tablet at -400 m +-400 m
            10:20:05 phone at 3000 m
            10:30:05 phone at 7000 m
            10:40:05 phone at 11000 m
            """, .phone
        ),
        // The watch reports its position only after the call.
        (
            """
            10:00:00 to 10:10:00 every 60 s phone at 0 m +200 m
            10:10:01 acts on watch
            10:10:01 triggers SOS
            10:10:10 watch at 4000 m
            10:10:11 phone at 2010 m
            """, .watch
        ),
        // A phone that was not used is not waited for.
        (
            """
            10:00:00 to 10:10:00 every 60 s phone at 0 m +200 m
            10:10:01 triggers SOS
            10:10:10 watch at 4000 m
            """, .phone
        ),
    ])
    func `A journey or an SOS relies on the device that it began with`(
        _ events: String, device: DeviceID
    ) throws {
        #expect(try carried(after: events) == device)
    }

    @Test func `An SOS on the watch has the watch's position if the phone is elsewhere`() throws {
        let events = """
            10:00:00 to 10:10:00 every 60 s phone at 0 m +200 m
            10:10:00 watch at 4000 m
            10:10:01 acts on watch
            """
        #expect(try place(after: events) == 4000)
        // Its position of an hour ago is no better than the phone's.
        #expect(
            try place(after: events.replacing("01 acts", with: "00 asks\n11:10:02 acts")) == 2000)
    }

    @Test(arguments: [
        // Known, but not for an hour; never known; never known, and coarse.
        ("10:00:00 watch at 20000 m", "watch at 19000 m", 19_000),
        ("10:00:00 asks", "watch at 19000 m", 19_000),
        ("10:00:00 asks", "watch at 19000 m accuracy 1414", 19_000),
    ])
    func `An SOS on the watch, far from the phone, has the watch's next position`(
        _ before: String, _ fix: String, meters: Int
    ) throws {
        let events = """
            \(before)
            10:00:00 to 11:30:00 every 60 s phone at 0 m
            11:30:00 acts on watch
            11:30:00 triggers SOS
            11:30:01 \(fix)
            """
        #expect(try place(after: events) == meters)
    }

    @Test func `A named device is the person's, whatever others do, until another is named`() throws
    {
        let named = """
            10:00:00 phone at 0 m
            10:00:00 watch at 1 m
            10:00:01 names phone
            10:01:00 to 10:10:00 every 60 s watch at 0 m +300 m
            10:10:30 acts on watch
            10:11:00 watch at 3000 m
            """
        #expect(try carried(after: named) == .phone)
        #expect(try place(after: named) == 0)
        #expect(try place(after: "\(named)\n10:11:30 names watch") == 3000)
        let goesOn = "10:12:00 to 10:13:00 every 60 s watch at 3300 m +300 m"
        #expect(try place(after: "\(named)\n10:11:30 names none\n\(goesOn)") == 3600)
        let isForgotten = "10:11:30 phone is forgotten\n\(goesOn)"
        #expect(try place(after: "\(named)\n\(isForgotten)") == 3600)
    }

    @Test func `A named device is the person's again after an SOS on another`() throws {
        let sos = """
            10:00:00 phone at 0 m
            10:00:00 watch at 1 m
            10:00:01 names phone
            10:01:00 to 10:10:00 every 60 s watch at 0 m +300 m
            10:10:30 calls on watch
            10:10:30 triggers SOS
            10:10:40 phone at 5 m
            """
        #expect(try place(after: sos) == 2700)
        #expect(try place(after: "\(sos)\n10:11:00 stops SOS\n10:11:01 watch at 2700 m") == 2700)
        #expect(try place(after: "\(sos)\n10:11:00 stops SOS\n10:11:01 phone at 6 m") == 6)
    }

    @Test func `A device named before its first position is the person's from then on`() throws {
        let named = "10:00:01 names phone\n10:00:02 tablet at 900 m"
        #expect(try place(after: named) == 900)
        #expect(try place(after: "\(named)\n10:00:03 phone at 5 m\n10:00:04 tablet at 900 m") == 5)
        #expect(try carried(after: "10:00:01 names phone\n10:00:02 phone at 5 m") == .phone)
    }

    @Test func `A phone that returns from a time without network has been carried`() throws {
        let events = """
            10:00:00 phone at 0 m
            10:00:01 to 10:10:01 every 60 s tablet at 0 m +50 m
            10:11:00 to 12:00:00 every 60 s tablet at 500 m
            12:05:00 to 12:05:10 every 1 s phone at 500 m +500 m taken 600 s ago
            12:05:11 phone at 6000 m taken 130 s ago
            """
        #expect(try place(after: events) == 500)
        #expect(try place(after: "\(events)\n12:05:12 phone at 6000 m") == 6000)
    }

    @Test func `A device with a slow clock, taken on a run, is still the person's`() throws {
        let events = """
            10:00:00 to 10:01:40 every 10 s phone at 0 m +10 m
            10:01:45 watch at 95 m taken 20 s ago
            10:02:00 to 10:20:00 every 1 s phone at 100 m
            10:10:00 to 10:19:50 every 10 s watch at 100 m +30 m taken 20 s ago
            """
        #expect(try carried(after: events) == .watch)
    }

    @Test func `A tracker with many devices keeps those that moved last`() throws {
        var stage = try Timeline.stage(after: "10:00:00 joins family\n10:00:00 phone at 0 m")
        let start = try #require(Timestamp(clock: "10:00:00"))
        for number in 10..<200 {
            let at = start + .seconds(number)
            let fix = Fix(coordinate: Road.place(5), takenAt: at, receivedAt: at)
            _ = stage.apply(.fix(fix, DeviceID(rawValue: Int64(number))), at: at)
        }
        #expect(stage.tracker.whereabouts.others.count == 7)
    }

    private func rules(_ change: (inout Rules) -> Void) -> Rules {
        var rules = Rules()
        change(&rules)
        return rules
    }
}

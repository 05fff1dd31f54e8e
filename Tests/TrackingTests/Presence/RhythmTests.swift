import TestSupport
import Testing
import Tracking

/// A device that reports rarely by itself gets 2.5 times its rhythm, the median of its last ten
/// intervals, and at most 15 min, or one and a half times the rhythm where that is longer.
struct RhythmTests {
    /// A phone without a connection that reported this often, at this interval.
    private func reports(_ count: Int, every seconds: Int) -> String {
        let last = Timestamp.morning + .seconds((count - 1) * seconds)
        return """
            08:00:00 joins family
            08:00:00 to \(last.clock) every \(seconds) s phone at 0 m
            \(last.clock) travels to 5000 m by 23:00:00 with family
            """
    }

    /// The seconds without a message after which the family is notified that the person is offline.
    private func patience(after given: String) throws -> Double? {
        let stage = try Timeline.stage(after: given)
        let last = try #require(stage.tracker.latest?.receivedAt)
        return stage.tracker.nextDue(listeningSince: stage.listeningSince, stage.rules).map {
            Double(($0 - last).milliseconds) / 1000
        }
    }

    @Test(arguments: [
        (11, 5, 60.0),
        (11, 24, 60.0),
        (11, 25, 62.5),
        (11, 60, 150.0),
        (11, 300, 750.0),
        (11, 359, 897.5),
        (11, 360, 900.0),
        (11, 600, 900.0),
        (11, 900, 1350.0),
        (11, 1800, 2700.0),
        (11, 3600, 5400.0),
        (11, 5400, 7200.0),
        (11, 9000, 7200.0),
        // Three intervals are a rhythm; of one or two, the last counts.
        (4, 60, 150.0),
        (3, 60, 90.0),
        (2, 60, 90.0),
        (2, 1800, 2700.0),
        (1, 60, 60.0),
        // Quick ones do not count as a rhythm.
        (11, 1, 60.0),
    ])
    func `The limit grows with the rhythm`(_ count: Int, every seconds: Int, limit: Double) throws {
        #expect(try patience(after: reports(count, every: seconds)) == limit)
    }

    @Test func `The rhythm is the median of the last ten intervals`() throws {
        let slow = """
            08:00:00 joins family
            08:00:00 to 09:00:00 every 300 s phone at 0 m
            """
        let started = "10:00:00 travels to 5000 m by 23:00:00 with family"
        // Four quick ones of ten: still slow. Six: quick. Five: the middle between the two.
        for (last, limit) in [("09:00:40", 750.0), ("09:01:00", 60), ("09:00:50", 387.5)] {
            let given = "\(slow)\n09:00:10 to \(last) every 10 s phone at 0 m"
            #expect(try patience(after: given) == limit)
            #expect(try patience(after: "\(given)\n\(started)") != nil)
        }
    }

    @Test func `A burst counts as one report`() throws {
        var bursts = "08:00:00 joins family"
        for index in 0..<6 {
            let at = Timestamp.morning + .seconds(300 * index)
            bursts += "\n\(at.clock) to \((at + .milliseconds(900)).clock) every 0.3 s phone at 0 m"
        }
        #expect(try patience(after: bursts) == 2.5 * 300)
    }

    @Test(arguments: [0.1, 0.2, 0.5, 0.9, 0.999, 1, 1.1])
    func `A quick reporter is, after one gap, offline as soon as any other`(_ step: Double) throws {
        let given = """
            08:00:00 joins family
            08:00:00 to 08:01:00 every \(step) s phone at 0 m
            08:06:00 to 08:06:20 every \(step) s phone at 0 m
            """
        #expect(try patience(after: given) == 60)
    }

    /// Fixes kept for the next connection show when they were taken, not how often the phone sends.
    @Test func `A burst of kept fixes after every gap leaves a slow rhythm slow`() throws {
        var bursts = "08:00:00 joins family"
        for index in 1...8 {
            let at = Timestamp.morning + .seconds(900 * index)
            for number in 0..<30 {
                let sent = at + .milliseconds(Int64(30 * number))
                bursts += "\n\(sent.clock) phone at 0 m taken \(60 - 2 * number) s ago"
            }
        }
        #expect(try patience(after: bursts) == 1350)
    }

    @Test(arguments: [10, 15, 60, 600])
    func `A phone that reports less often than the silence limit is missed once at most`(
        _ seconds: Int
    ) throws {
        var rules = Rules()
        rules.silentAfter = .seconds(seconds * 6 / 10)
        rules.offlineAfter = rules.silentAfter
        for connection in ["phone connects", "asks"] {
            var stage = Stage()
            stage.rules = rules
            var told = 0
            func count(_ effects: [Effect]) {
                for case .alert(let alert, _) in effects
                where [.silent, .offline].contains(alert.kind) { told += 1 }
            }
            let start = Timestamp.morning
            let events = [
                "\(start.clock) joins family", "\(start.clock) \(connection)",
                "\(start.clock) phone at 0 m",
                "\(start.clock) travels to 90000 m by 23:00:00 with family",
                """
                \((start + .seconds(1)).clock) to \((start + .seconds(1 + 9 * seconds)).clock) \
                every \(seconds) s phone at 0 m +100 m
                """,
            ]
            for moment in try events.flatMap({ try EventParser(Substring($0)).moments() }) {
                count(stage.pass(until: moment.at))
                _ = stage.apply(moment.event, at: moment.at)
            }
            #expect(told <= 1)
        }
    }

    @Test func `Buffered fixes do not affect the rhythm`() throws {
        let given = """
            08:00:00 joins family
            08:00:00 to 08:05:00 every 10 s phone at 0 m
            08:20:00 to 08:20:20 every 2 s phone at 0 m taken 600 s ago
            08:20:30 phone at 0 m
            """
        #expect(try patience(after: given) == 60)
    }

    @Test func `A phone that reports every five minutes raises no alert`() throws {
        try Timeline.check(
            given: reports(5, every: 300), showing: .alerts,
            """
            08:25:00 to 12:00:00 every 300 s phone at 0 m +100 m
            """)
    }

    @Test func `A five-minute phone that dies is offline after twelve and a half minutes`() throws {
        try Timeline.check(
            given: reports(5, every: 300), showing: .alerts,
            """
            08:32:29.999
            08:32:30
                08:32:30 alert to family: offline
            """)
    }

    @Test func `A connected five-minute phone is silent after the same time`() throws {
        try Timeline.check(
            given: "08:00:00 phone connects\n\(reports(5, every: 300))", showing: .alerts,
            """
            08:32:29.999
            08:32:30
                08:32:30 alert to family: silent
            """)
    }

    @Test func `A five-minute phone's last will is given as much time`() throws {
        try Timeline.check(
            given: """
                08:00:00 phone connects
                \(reports(5, every: 300))
                08:21:00 phone disconnects
                """,
            showing: .alerts,
            """
            08:33:29.999
                08:32:30 alert to family: silent
            08:33:30
                08:33:30 alert to family: offline
            """)
    }

    /// The limit of a device that reports rarely is not the person's.
    @Test func `A forgotten tablet does not delay a silent phone's alert`() throws {
        try Timeline.check(
            given: """
                08:00:00 joins family
                08:00:00 to 09:00:00 every 600 s tablet at 0 m
                10:00:00 phone connects
                10:00:00 to 10:10:00 every 10 s phone at 0 m
                10:10:00 travels to 5000 m by 23:00:00 with family
                """,
            showing: .alerts,
            """
            10:15:00
                10:15:00 alert to family: silent
            """)
    }
}

extension Timestamp {
    fileprivate static let morning = midnight + .seconds(8 * 3600)
}

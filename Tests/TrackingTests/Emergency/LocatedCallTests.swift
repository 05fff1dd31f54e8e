import TestSupport
import Testing
import Tracking

/// A call for help has the person's position as soon as it is known.
struct LocatedCallTests {
    private static let nowhere = """
        10:00:00 joins family
        10:00:00 joins work
        10:00:00 phone connects
        10:00:00 triggers SOS
        """

    private func positions(_ stage: inout Stage, _ event: Event, at clock: String) throws -> [Int?]
    {
        let now = try #require(Timestamp(clock: clock))
        return stage.apply(event, at: now).alerts.map { alert in
            alert.fix.map { Road.meters(to: $0.coordinate) }
        }
    }

    private func fix(_ meters: Double, taken: String, received: String) throws -> Event {
        .fix(
            Fix(
                coordinate: Road.place(meters),
                takenAt: try #require(Timestamp(clock: taken)),
                receivedAt: try #require(Timestamp(clock: received))), .phone)
    }

    @Test func `A call without a position is repeated with the first one`() throws {
        try Timeline.check(
            given: Self.nowhere, showing: .alerts,
            """
            10:00:10 phone at 30 m
                alert to family: sos, repetition 1
                alert to work: sos, repetition 1
            10:00:20 phone at 40 m
            10:01:15 phone at 50 m
                10:01:10 alert to family: sos, repetition 2
                10:01:10 alert to work: sos, repetition 2
            """)
    }

    @Test func `A call with an old position is repeated with the first fresh one`() throws {
        var stage = try Timeline.stage(
            after: "\(Opening.online)\n10:01:01 triggers SOS")
        // Later than before, but still old: the next repetition has it.
        #expect(
            try positions(
                &stage, fix(5, taken: "10:00:02", received: "10:01:05"), at: "10:01:05") == [])
        #expect(
            try positions(
                &stage, fix(30, taken: "10:01:06", received: "10:01:06"), at: "10:01:06") == [30])
        #expect(
            try positions(
                &stage, fix(40, taken: "10:01:07", received: "10:01:07"), at: "10:01:07") == [])
    }

    @Test func `A call without a position is repeated with an old one, then a fresh one`() throws {
        var stage = try Timeline.stage(after: Self.nowhere)
        #expect(
            try positions(
                &stage, fix(5, taken: "09:00:00", received: "10:00:05"), at: "10:00:05") == [5, 5])
        #expect(
            try positions(
                &stage, fix(6, taken: "09:00:10", received: "10:00:06"), at: "10:00:06") == [])
        #expect(
            try positions(
                &stage, fix(30, taken: "10:00:07", received: "10:00:07"), at: "10:00:07")
                == [30, 30])
    }

    @Test func `A member who has seen the call also receives the position`() throws {
        try Timeline.check(
            given: Self.nowhere, showing: .alerts,
            """
            10:00:05 family acknowledges
            10:00:10 phone at 30 m
                alert to family: sos, repetition 1
                alert to work: sos, repetition 1
            10:01:15 phone at 50 m
                10:01:10 alert to work: sos, repetition 2
            """)
    }

    @Test func `A repetition has the newest position`() throws {
        var stage = try Timeline.stage(
            after: "\(Opening.online)\n10:00:10 triggers SOS\n10:01:00 phone at 500 m")
        let repeated = stage.pass(until: try #require(Timestamp(clock: "10:01:10")))
        let fixes = repeated.compactMap { effect in
            if case .alert(let alert, _) = effect { alert.fix } else { nil }
        }
        #expect(fixes.map { Road.meters(to: $0.coordinate) } == [500])
    }

    @Test func `A first position is sent even after the last repetition`() throws {
        try Timeline.check(
            given: Self.nowhere, showing: .alerts,
            """
            10:12:00 work acknowledges
                10:01:00 alert to family: sos, repetition 1
                10:01:00 alert to work: sos, repetition 1
                10:02:00 alert to family: sos, repetition 2
                10:02:00 alert to work: sos, repetition 2
                10:03:00 alert to family: sos, repetition 3
                10:03:00 alert to work: sos, repetition 3
                10:04:00 alert to family: sos, repetition 4
                10:04:00 alert to work: sos, repetition 4
                10:05:00 alert to family: silent
                10:05:00 alert to work: silent
                10:05:00 alert to family: sos, repetition 5
                10:05:00 alert to work: sos, repetition 5
                10:06:00 alert to family: sos, repetition 6
                10:06:00 alert to work: sos, repetition 6
                10:07:00 alert to family: sos, repetition 7
                10:07:00 alert to work: sos, repetition 7
                10:08:00 alert to family: sos, repetition 8
                10:08:00 alert to work: sos, repetition 8
                10:09:00 alert to family: sos, repetition 9
                10:09:00 alert to work: sos, repetition 9
                10:10:00 alert to family: sos, repetition 10
                10:10:00 alert to work: sos, repetition 10
                nothing to acknowledge
            10:13:00 phone at 30 m
                alert to family: online
                alert to work: online
                alert to family: sos, repetition 11
                alert to work: sos, repetition 11
            """)
    }
}

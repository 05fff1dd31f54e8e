import TestSupport
import Testing
import Tracking

/// An unacknowledged SOS alert is repeated every 60 s, at most 10 times.
struct EscalationTests {
    @Test func `An alert is repeated ten times and no more`() throws {
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:30 triggers SOS
                alert to family: sos
            10:05:00 phone at 0 m
                10:01:30 alert to family: sos, repetition 1
                10:02:30 alert to family: sos, repetition 2
                10:03:30 alert to family: sos, repetition 3
                10:04:30 alert to family: sos, repetition 4
            10:09:59 phone at 0 m
                10:05:30 alert to family: sos, repetition 5
                10:06:30 alert to family: sos, repetition 6
                10:07:30 alert to family: sos, repetition 7
                10:08:30 alert to family: sos, repetition 8
                10:09:30 alert to family: sos, repetition 9
            10:13:00
                10:10:30 alert to family: sos, repetition 10
            10:13:00 family acknowledges
                nothing to acknowledge
            """)
    }

    @Test func `Acknowledging stops the repetition in that group only`() throws {
        try Timeline.check(
            given: Opening.emergency, showing: .alerts,
            """
            10:01:30 family acknowledges
                10:01:00 alert to family: sos, repetition 1
                10:01:00 alert to work: sos, repetition 1
            10:01:31 family acknowledges
                nothing to acknowledge
            10:03:00 work acknowledges
                10:02:00 alert to work: sos, repetition 2
                10:03:00 alert to work: sos, repetition 3
            10:04:00
            """)
    }

    @Test func `The repetition stops with the emergency`() throws {
        try Timeline.check(
            given: Opening.emergency, showing: .alerts,
            """
            10:00:59 stops SOS
                alert to family: sos-stopped
                alert to work: sos-stopped
            10:05:00 family acknowledges
                nothing to acknowledge
            """)
    }

    @Test func `The repetition stops for a group that the person left`() throws {
        try Timeline.check(
            given: Opening.emergency, showing: .alerts,
            """
            10:00:30 leaves family
                alert to family: sos-left
            10:01:00
                10:01:00 alert to work: sos, repetition 1
            """)
    }

    @Test func `A repetition is the same alert, with the time and place of the first`() throws {
        var stage = try Timeline.stage(after: Opening.online)
        let start = try #require(Timestamp(clock: "10:00:10"))
        let first = stage.apply(.triggersSOS, at: start).alerts
        let second = stage.pass(until: start + .seconds(90)).alerts
        #expect(first.count == 1)
        #expect(first == second)
    }

    @Test func `A second emergency has its own alert and its own ten repetitions`() throws {
        try Timeline.check(
            given: """
                \(Opening.online)
                10:00:00 triggers SOS
                10:01:30 stops SOS
                """,
            showing: .alerts,
            """
            10:02:00 triggers SOS
                alert to family: sos
            10:03:00 family acknowledges
                10:03:00 alert to family: sos, repetition 1
            """)
    }

    @Test func `The rules set the interval and the number of repetitions`() throws {
        var rules = Rules()
        rules.repeatAfter = .seconds(5)
        rules.repeatAtMost = 2
        try Timeline.check(
            given: Opening.online, showing: .alerts,
            """
            10:00:10 triggers SOS
                alert to family: sos
            10:04:00
                10:00:15 alert to family: sos, repetition 1
                10:00:20 alert to family: sos, repetition 2
            """, rules: rules)
    }
}

extension [Effect] {
    var alerts: [Alert] {
        compactMap { if case .alert(let alert, _) = $0 { alert } else { nil } }
    }
}

extension Stage.Outcome {
    var alerts: [Alert] { if case .effects(let effects) = self { effects.alerts } else { [] } }
}

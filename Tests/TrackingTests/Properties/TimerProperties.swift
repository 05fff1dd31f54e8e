import TestSupport
import Testing
import Tracking

/// Timers, for every history of events: it does not matter when they are checked.
struct TimerProperties {
    @Test(arguments: seeds)
    func `Advancing twice, early or in between changes nothing`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (plain, restless) = (Stage(), Stage())
        var events = RandomEvents(seed: seed)
        for _ in 0..<150 {
            let before = events.now
            let (at, event) = events.next()
            let expected = plain.pass(until: at)
            var fired: [Effect] = []
            let gap = (at - before).milliseconds
            let moments = (0..<5).map { _ in Int64.random(in: 0...gap, using: &random) }
            for moment in moments.sorted() {
                let now = before + .milliseconds(moment)
                fired += restless.pass(until: now)
                #expect(restless.advance(to: now).isEmpty)
            }
            fired += restless.pass(until: at)
            #expect(fired == expected)
            #expect(restless.apply(event, at: at) == plain.apply(event, at: at))
        }
        #expect(restless.tracker == plain.tracker)
    }

    /// A busy bridge checks its timers late: nothing is lost by that, and nothing invented.
    @Test(arguments: seeds)
    func `A single late check has the same effects as all checks in time`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        Stage.play(seed: seed) { stage, at, _, _ in
            let end = at + .milliseconds(Int64.random(in: 0...900_000, using: &random))
            var (inTime, late) = (stage, stage)
            let first = inTime.pass(until: end).firstAlerts
            #expect(late.advance(to: end).firstAlerts == first)
            #expect(late.tracker.warnings == inTime.tracker.warnings)
            #expect(late.tracker.isOnline == inTime.tracker.isOnline)
        }
    }

    @Test(arguments: seeds)
    func `A jumping clock causes no trap`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var stage = Stage()
        var events = RandomEvents(seed: seed)
        for _ in 0..<150 {
            let (at, event) = events.next()
            let jump = Int64.random(in: -900_000...900_000, using: &random)
            _ = stage.apply(event, at: at + .milliseconds(jump))
            _ = stage.advance(to: at + .milliseconds(jump))
        }
    }
}

extension [Effect] {
    /// The alerts that are raised, without repetitions, in no order.
    fileprivate var firstAlerts: Set<String> {
        var alerts: Set<String> = []
        for case .alert(let alert, 0) in self {
            alerts.insert("\(alert.kind.rawValue) \(alert.group.rawValue)")
        }
        return alerts
    }
}

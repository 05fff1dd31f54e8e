import EarlyWarning
import Testing
import Tracking

struct MonitorTests {
    private static let ill: [Parameter: Double] = [
        .respiration: 24, .oxygenSaturation: 93, .pulse: 115, .temperature: 38.5,
    ]

    @Test func `Silence, ended by what was measured while nobody listened, is none`() {
        var ward = Ward()
        ward.take([.pulse: 70])
        ward.sleep(4_000)
        ward.take([.pulse: 70], ago: 30)
        #expect(ward.log.isEmpty)
    }

    @Test
    func `Seven points ask, and call if they last for four seconds; six ask, four do nothing`() {
        var ward = Ward()
        ward.take(MonitorTests.ill)
        ward.pass(60)
        #expect(ward.log == ["0: ask 7", "4: call score"])
        // One message that is wrong in all it says.
        ward = Ward()
        ward.take([.respiration: 16, .oxygenSaturation: 97, .pulse: 70, .temperature: 36.5])
        ward.pass(1)
        ward.take([.respiration: 3, .oxygenSaturation: 60, .pulse: 20])
        ward.pass(1)
        ward.take([.respiration: 16, .oxygenSaturation: 97, .pulse: 70])
        ward.pass(60)
        #expect(ward.log == ["1: ask 9", "12: withdraw"])
        ward = Ward()
        ward.take([.respiration: 24, .oxygenSaturation: 93, .pulse: 115])
        #expect(ward.log == ["0: ask 6"])
        ward = Ward()
        ward.take([.respiration: 24, .oxygenSaturation: 93])
        ward.pass(60)
        #expect(ward.log.isEmpty)
    }

    @Test func `Whoever is asked and does not answer is in need after thirty seconds`() {
        var ward = Ward()
        ward.take([.respiration: 24, .oxygenSaturation: 93, .pulse: 95])
        ward.pass(29)
        #expect(ward.log == ["0: ask 5"])
        ward.pass(1)
        #expect(ward.log == ["0: ask 5", "30: call unanswered"])
        ward.take(MonitorTests.ill)
        ward.pass(900)
        #expect(ward.log.count == 2)
    }

    @Test func `A clock that was set back holds up neither a question nor what is measured`() {
        var ward = Ward()
        ward.pass(300)
        ward.take([.respiration: 24, .oxygenSaturation: 93, .pulse: 95])
        ward.setBack(290)
        ward.pass(30)
        #expect(ward.log == ["300: ask 5", "40: call unanswered"])
        ward = Ward()
        ward.pass(300)
        ward.take([.pulse: 70])
        ward.setBack(290)
        ward.pass(1)
        ward.take([.pulse: 35])
        #expect(ward.log == ["11: ask 3"])
        // What was called fine is not so for longer than it would have been.
        ward = Ward()
        ward.pass(590)
        ward.take([.pulse: 140])
        ward.sayFine()
        ward.setBack(580)
        ward.take(.pulse, 141, for: 950)
        #expect(ward.log.last?.hasSuffix("call unanswered") == true)
    }

    @Test func `Who needs no help is not called again for the same, after help for anything`() {
        var ward = Ward()
        ward.take(MonitorTests.ill)
        ward.pass(4)
        ward.reactivate()
        ward.pass(5)
        ward.take(MonitorTests.ill)
        ward.pass(50)
        #expect(ward.log == ["0: ask 7", "4: call score"])
        ward.take([.oxygenSaturation: 91])
        ward.pass(4)
        #expect(ward.log.last == "63: call score")
        ward.help()
        ward.reactivate()
        ward.pass(5)
        ward.take(MonitorTests.ill)
        ward.pass(4)
        #expect(ward.log.last == "72: call score")
    }

    @Test func `One extreme reading asks, two and five seconds call`() {
        var ward = Ward()
        ward.take([.pulse: 35])
        ward.pass(1)
        ward.take([.pulse: 36])
        ward.pass(60)
        #expect(ward.log == ["0: ask 3", "5: call extreme"])
        // Nothing more comes: the person has the time to answer.
        ward = Ward()
        ward.take([.pulse: 35])
        ward.pass(60)
        #expect(ward.log == ["0: ask 3", "30: call unanswered"])
        ward = Ward()
        ward.take([.pulse: 35])
        ward.pass(20)
        ward.take([.pulse: 36])
        #expect(ward.log == ["0: ask 3", "20: call extreme"])
        // Three wrong samples in a row, at one a second.
        ward = Ward()
        ward.take(.pulse, 70, for: 5)
        ward.take(.pulse, 30, for: 3)
        ward.take(.pulse, 70, for: 60)
        #expect(ward.log == ["5: ask 3", "18: withdraw"])
        // Too high and then too low is not the same thing twice.
        ward = Ward()
        ward.take([.pulse: 35])
        ward.pass(1)
        ward.take([.pulse: 180])
        #expect(ward.log == ["0: ask 3"])
    }

    @Test func `A pulse that is too high, and nothing else, is asked about first`() {
        var ward = Ward()
        ward.take(.pulse, 150, for: 29)
        #expect(ward.log == ["0: ask 3"])
        ward.pass(1)
        #expect(ward.log == ["0: ask 3", "30: call unanswered"])
        ward = Ward()
        ward.take(.pulse, 150, for: 5)
        ward.take(.respiration, 30, for: 6)
        #expect(ward.log == ["0: ask 3", "10: call extreme"])
    }

    @Test func `One wrong reading is asked about, and the question withdrawn`() {
        var ward = Ward()
        ward.take(.pulse, 70, for: 5)
        ward.take([.pulse: 35])
        ward.pass(1)
        ward.take(.pulse, 70, for: 60)
        #expect(ward.log == ["5: ask 3", "16: withdraw"])
    }

    @Test func `That nothing is measured any more is no good sign`() {
        var ward = Ward()
        ward.take([.pulse: 35])
        ward.limits.freshness[.pulse] = .seconds(5)
        ward.pass(40)
        #expect(ward.log == ["0: ask 3", "30: call unanswered"])
    }

    @Test func `Whoever is fine is not asked about the same again, but about anything worse`() {
        var ward = Ward()
        ward.take([.pulse: 38])
        ward.pass(5)
        ward.sayFine()
        ward.take(.pulse, 38, for: 600)
        #expect(ward.log == ["0: ask 3"])
        // A pulse that is far too high is something else.
        ward.take([.pulse: 170])
        ward.pass(1)
        #expect(ward.log == ["0: ask 3", "605: ask 3"])
        ward.sayFine()
        ward.take([.pulse: 170, .oxygenSaturation: 90])
        ward.pass(1)
        ward.take([.oxygenSaturation: 90])
        ward.pass(4)
        #expect(ward.log.suffix(2) == ["606: ask 6", "611: call extreme"])
        // After a quarter of an hour the same is asked about anew.
        ward = Ward()
        ward.take([.pulse: 38])
        ward.sayFine()
        ward.pass(899)
        ward.take([.pulse: 38])
        ward.pass(1)
        ward.take([.pulse: 38])
        #expect(ward.log.first == "0: ask 3" && ward.log.count > 1)
    }

    @Test func `Exertion explains a high pulse and quick breaths, for a while, and nothing else`() {
        var ward = Ward()
        ward.take([.pulse: 175, .respiration: 35], exertion: true)
        ward.pass(1)
        ward.take([.pulse: 178, .respiration: 36])
        ward.pass(400)
        ward.take([.pulse: 140, .respiration: 26])
        ward.pass(120)
        #expect(ward.log.isEmpty)
        ward.take([.oxygenSaturation: 88])
        ward.take([.pulse: 30], exertion: true)
        #expect(ward.log.count == 1)
        // No effort goes so far.
        for (parameter, value) in [(Parameter.pulse, 230.0), (.respiration, 80)] {
            ward = Ward()
            ward.take([parameter: value], exertion: true)
            #expect(ward.log == ["0: ask 3"])
        }
        ward = Ward()
        ward.take([.pulse: 175], exertion: true)
        ward.pass(601)
        ward.take([.pulse: 175])
        #expect(ward.log == ["600: silent", "601: ask 3", "601: heard"])
    }

    @Test func `A person's own bounds replace the chart`() {
        var ward = Ward()
        ward.limits.own[.pulse] = OwnThreshold(low: 35, high: 150)
        for pulse in [36.0, 38, 140, 150] {
            ward.take([.pulse: pulse])
            ward.pass(1)
        }
        #expect(ward.log.isEmpty)
        ward.take([.pulse: 34])
        ward.pass(1)
        ward.take([.pulse: 34])
        ward.pass(4)
        #expect(ward.log == ["4: ask 3", "9: call extreme"])
    }

    /// Each value, and what the chart has said of it before.
    @Test(arguments: [
        (Parameter.pulse, OwnThreshold(low: 35, high: nil), 38.0, false),
        (.pulse, OwnThreshold(low: 35, high: nil), 34, true),
        (.pulse, OwnThreshold(low: 35, high: nil), 180, true),
        (.pulse, OwnThreshold(low: nil, high: 150), 140, false),
        (.pulse, OwnThreshold(low: nil, high: 150), 39, true),
        (.oxygenSaturation, OwnThreshold(low: 85, high: nil), 88, false),
        (.respiration, OwnThreshold(low: nil, high: 30), 7, true),
        (.temperature, OwnThreshold(low: nil, high: 40), 34, true),
    ])
    func `A bound on one side leaves the other to the chart`(
        _ parameter: Parameter, _ own: OwnThreshold, _ value: Double, _ asks: Bool
    ) {
        var ward = Ward()
        ward.limits.own[parameter] = own
        ward.take([parameter: value])
        #expect(ward.log.isEmpty != asks)
    }

    @Test func `A person's own bound holds at any effort`() {
        var ward = Ward()
        ward.limits.own[.pulse] = OwnThreshold(low: nil, high: 150)
        ward.take([.pulse: 145], exertion: true)
        ward.pass(1)
        #expect(ward.log.isEmpty)
        ward.take([.pulse: 155], exertion: true)
        ward.pass(1)
        #expect(ward.log.count == 1)
    }

    @Test func `Silence after dangerous readings asks again, and calls if nobody answers`() {
        var ward = Ward()
        ward.take(.pulse, 38, for: 20)
        #expect(ward.log == ["0: ask 3", "5: call extreme"])
        ward = Ward()
        ward.take(.pulse, 140, for: 5)
        ward.sayFine()
        ward.take(.pulse, 140, for: 120)
        #expect(ward.log == ["0: ask 3"])
        ward.pass(600)
        #expect(ward.log == ["0: ask 3", "184: ask 3", "214: call unanswered"])
        // A sensor that goes silent as such.
        ward = Ward()
        ward.take(.pulse, 80, for: 60)
        ward.pass(500)
        #expect(ward.log.isEmpty)
        // What is measured each five minutes is silent in between.
        ward = Ward()
        for _ in 0..<3 {
            ward.take([.pulse: 140])
            ward.sayFine()
            ward.pass(290)
        }
        #expect(ward.log == ["0: ask 3"])
        // Nobody listened meanwhile.
        ward = Ward()
        ward.take(.pulse, 140, for: 5)
        ward.sayFine()
        ward.sleep(3_600)
        ward.pass(1)
        #expect(!ward.log.contains { $0.contains("call") })
    }

    @Test func `What comes late, or in the wrong order, calls nobody`() {
        var ward = Ward()
        ward.pass(300)
        ward.take(MonitorTests.ill, ago: 121)
        #expect(ward.log.isEmpty)
        ward.take([.pulse: 70])
        ward.take([.pulse: 30], ago: 20)
        ward.pass(60)
        #expect(ward.log.isEmpty)
        ward.take(MonitorTests.ill, ago: 119)
        #expect(ward.log == ["360: ask 5"])
    }

    @Test func `What is old counts no more`() {
        var ward = Ward()
        ward.take([.respiration: 24, .oxygenSaturation: 93])
        ward.pass(301)
        ward.take([.pulse: 115, .temperature: 38.5])
        #expect(ward.log.isEmpty)
    }

    @Test func `Nobody is called twice, until the person wants to be watched again`() {
        var ward = Ward()
        ward.take(MonitorTests.ill)
        ward.pass(4)
        let (first, second) = (ward.help(), ward.help())
        #expect(first && !second)
        ward.pass(3_596)
        ward.take(MonitorTests.ill)
        #expect(ward.log == ["0: ask 7", "4: call score"])
        let (again, twice) = (ward.reactivate(), ward.reactivate())
        #expect(again && !twice)
        ward.pass(1)
        #expect(ward.log.count == 2)
        ward.take(MonitorTests.ill)
        ward.pass(4)
        #expect(ward.log.last == "3605: call score")
    }

    @Test func `Whoever is not measured is told, then their groups, then that it is over`() {
        var ward = Ward()
        ward.take([.pulse: 70])
        ward.pass(4_000)
        ward.take([.pulse: 70])
        ward.pass(599)
        #expect(ward.log == ["600: silent", "1800: silent for groups", "4000: heard"])
    }

    /// Whatever happens, there is at most one call until the person is watched again, nothing is due
    /// in the past, and advancing time twice is the same as once.
    @Test(arguments: UInt64(1)...40)
    func `Lives of chance keep the rules`(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        var (monitor, now) = (Monitor(at: Timestamp(milliseconds: 0)), Timestamp(milliseconds: 0))
        let limits = MonitoringLimits()
        var (isCalled, calls) = (false, 0)
        for _ in 0..<2_000 {
            now = now + .milliseconds(Int64(random.next(20_000)))
            // What is due comes before what happens.
            var effects = monitor.advance(to: now, limits)
            var hasEnded = false
            switch random.next(12) {
            case 0: _ = monitor.answerFine(at: now, limits)
            case 1: hasEnded = monitor.reactivate(at: now, limits)
            case 2: _ = monitor.noteAssistance(at: now)
            default:
                let parameter = Parameter.allCases[Int(random.next(6))]
                let value = [35, 36.5, 15, 70, 88, 97, 120, 180][Int(random.next(8))]
                let takenAt = now - .milliseconds(Int64(random.next(150_000)))
                effects += monitor.receive(
                    [Reading(parameter, value, at: takenAt)], at: now, limits)
            }
            for case .call in effects {
                #expect(!isCalled)
                isCalled = true
                calls += 1
            }
            if hasEnded { isCalled = false }
            var copy = monitor
            let again = copy.advance(to: now, limits)
            #expect(again.isEmpty && copy == monitor)
            if let due = monitor.nextDue(after: now, limits) { #expect(due > now) }
        }
        #expect(calls > 5)
    }
}

private struct SplitMix {
    var state: UInt64

    /// From 0 until below the bound.
    mutating func next(_ bound: UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return (mixed ^ (mixed >> 31)) % bound
    }
}

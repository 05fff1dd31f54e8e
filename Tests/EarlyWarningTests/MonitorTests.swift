import EarlyWarning
import Testing
import Tracking

struct MonitorTests {
    private static let ill: [Parameter: Double] = [
        .respiration: 24, .oxygenSaturation: 93, .pulse: 115, .temperature: 38.5,
    ]

    @Test func `A reading taken during a downtime prevents a silence report`() {
        var ward = Ward()
        ward.take([.pulse: 70])
        ward.sleep(4_000)
        ward.take([.pulse: 70], ago: 30)
        #expect(ward.log.isEmpty)
    }

    @Test
    func `Seven points ask, and call after four seconds; six ask, four do nothing`() {
        var ward = Ward()
        ward.take(MonitorTests.ill)
        ward.pass(60)
        #expect(ward.log == ["0: ask 7", "4: call score"])
        // One message with nothing but wrong values.
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

    @Test func `An unanswered question becomes a call after thirty seconds`() {
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

    @Test func `A clock set back delays neither questions nor readings`() {
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
        // An answer of fine does not last longer than it would have.
        ward = Ward()
        ward.pass(590)
        ward.take([.pulse: 140])
        ward.sayFine()
        ward.setBack(580)
        ward.take(.pulse, 141, for: 950)
        #expect(ward.log.last?.hasSuffix("call unanswered") == true)
    }

    @Test func `A cancelled call is not repeated for the same cause, unless help followed`() {
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

    @Test func `A single extreme reading asks; a second one and five seconds call`() {
        var ward = Ward()
        ward.take([.pulse: 35])
        ward.pass(1)
        ward.take([.pulse: 36])
        ward.pass(60)
        #expect(ward.log == ["0: ask 3", "5: call extreme"])
        // No more readings: the person has time to answer.
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

    @Test func `A high pulse alone is asked about first`() {
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

    @Test func `A question about one wrong reading is withdrawn`() {
        var ward = Ward()
        ward.take(.pulse, 70, for: 5)
        ward.take([.pulse: 35])
        ward.pass(1)
        ward.take(.pulse, 70, for: 60)
        #expect(ward.log == ["5: ask 3", "16: withdraw"])
    }

    @Test func `Missing readings do not withdraw a question`() {
        var ward = Ward()
        ward.take([.pulse: 35])
        ward.limits.freshness[.pulse] = .seconds(5)
        ward.pass(40)
        #expect(ward.log == ["0: ask 3", "30: call unanswered"])
    }

    @Test func `A person who is fine is asked again only about anything worse`() {
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
        // After a quarter of an hour the same is asked about again.
        ward = Ward()
        ward.take([.pulse: 38])
        ward.sayFine()
        ward.pass(899)
        ward.take([.pulse: 38])
        ward.pass(1)
        ward.take([.pulse: 38])
        #expect(ward.log.first == "0: ask 3" && ward.log.count > 1)
    }

    @Test func `Exertion explains only a high pulse and fast breathing, for a while`() {
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
        // No exertion explains these.
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

    @Test func `Personal bounds replace the chart`() {
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

    /// Each value, and whether it asks.
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

    @Test func `A personal bound applies even during exertion`() {
        var ward = Ward()
        ward.limits.own[.pulse] = OwnThreshold(low: nil, high: 150)
        ward.take([.pulse: 145], exertion: true)
        ward.pass(1)
        #expect(ward.log.isEmpty)
        ward.take([.pulse: 155], exertion: true)
        ward.pass(1)
        #expect(ward.log.count == 1)
    }

    @Test func `Silence after dangerous readings asks again and calls if unanswered`() {
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
        // A sensor that goes silent after normal readings.
        ward = Ward()
        ward.take(.pulse, 80, for: 60)
        ward.pass(500)
        #expect(ward.log.isEmpty)
        // A sensor that measures every five minutes is silent in between.
        ward = Ward()
        for _ in 0..<3 {
            ward.take([.pulse: 140])
            ward.sayFine()
            ward.pass(290)
        }
        #expect(ward.log == ["0: ask 3"])
        // The service was down in between.
        ward = Ward()
        ward.take(.pulse, 140, for: 5)
        ward.sayFine()
        ward.sleep(3_600)
        ward.pass(1)
        #expect(!ward.log.contains { $0.contains("call") })
    }

    @Test func `Late or out-of-order readings cause no call`() {
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

    @Test func `Old readings no longer count`() {
        var ward = Ward()
        ward.take([.respiration: 24, .oxygenSaturation: 93])
        ward.pass(301)
        ward.take([.pulse: 115, .temperature: 38.5])
        #expect(ward.log.isEmpty)
    }

    @Test func `A second call is made only after monitoring is reactivated`() {
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

    @Test func `Silence notifies the person, then their groups, then ends`() {
        var ward = Ward()
        ward.take([.pulse: 70])
        ward.pass(4_000)
        ward.take([.pulse: 70])
        ward.pass(599)
        #expect(ward.log == ["600: silent", "1800: silent for groups", "4000: heard"])
    }

    /// In any history there is at most one call until the person is monitored again, nothing is due
    /// in the past, and advancing time twice is the same as once.
    @Test(arguments: UInt64(1)...40)
    func `Random histories keep the rules`(_ seed: UInt64) {
        var random = SplitMix(state: seed)
        var (monitor, now) = (Monitor(at: Timestamp(milliseconds: 0)), Timestamp(milliseconds: 0))
        let limits = MonitoringLimits()
        var (isCalled, calls) = (false, 0)
        for _ in 0..<2_000 {
            now = now + .milliseconds(Int64(random.next(20_000)))
            // Due effects precede events.
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

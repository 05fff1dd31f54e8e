import TestSupport
import Tracking

/// A random hour of a person's life, one per seed.
struct RandomEvents {
    private var random: SplitMix64
    private(set) var now = Timestamp.midnight
    private var place = 0.0

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// The next event, some time after the one before it.
    mutating func next() -> (at: Timestamp, event: Event) {
        now = now + .milliseconds(steps.randomElement(using: &random) ?? 0)
        return (now, event())
    }

    private let steps: [Int64] = [
        0, 1, 500, 1000, 1000, 5000, 5000, 10_000, 10_000, 20_000, 30_000, 59_999, 60_000, 60_001,
        90_000, 300_000, 600_000,
    ]

    private mutating func event() -> Event {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<55: .fix(fix(), device())
        case 55..<60: .speaks(device())
        case 60..<65: .connects(device())
        case 65..<70: .disconnects(device())
        case 70..<74: .startsSharing(groups())
        case 74..<77: .stopsSharing(groups())
        case 77..<83: journey()
        case 83..<85: .extendsJourney(eta: now + seconds(in: -100...900))
        case 85..<86: .stopsJourney
        case 86..<88: .triggersSOS
        case 88..<90: .triggersSOSWith(fix(), device())
        case 90..<92: .stopsSOS
        case 92..<94: .acknowledges(group())
        case 94..<96: .joins(group())
        case 96..<97: Bool.random(using: &random) ? .isInNeed(groups()) : .isAssisted
        case 97..<98: .leaves(group())
        case 98..<99: Bool.random(using: &random) ? .isForgotten(device()) : .calls(group())
        default:
            [
                .timePasses, .turnsOff, .asks, .sharesWithFriends, .stopsSharingWithFriends,
                .actsOn(device()), .callsOn(device()), .names(device()), .names(nil),
            ]
            .randomElement(using: &random) ?? .timePasses
        }
    }

    private mutating func fix() -> Fix {
        // Mostly a walk; now and then a stop, an old fix, or a clock that is wrong.
        place += [0, 0, 0, 3, 10, 30, 100, -20].randomElement(using: &random) ?? 0
        let age =
            [0, 0, 0, 0, 1, 5, 30, 119, 120, 121, 600, -30].randomElement(using: &random) ?? 0
        let accuracy = [nil, nil, 5, 20, 65.5, 200, 1414.1].randomElement(using: &random) ?? nil
        return Fix(
            coordinate: Road.place(place), takenAt: now - .seconds(age), receivedAt: now,
            accuracy: accuracy, altitude: Double.random(in: 0...3000, using: &random),
            heading: Double.random(in: 0..<360, using: &random),
            speed: Double.random(in: 0...40, using: &random), battery: 71,
            sequence: Int64.random(in: 0...9, using: &random))
    }

    private mutating func journey() -> Event {
        let there = place + Double.random(in: -500...500, using: &random)
        let radius = Bool.random(using: &random) ? nil : 120.0
        return .startsJourney(
            Destination(coordinate: Road.place(there), name: "Ü & Co", radius: radius),
            eta: now + seconds(in: -100...1200), groups())
    }

    private mutating func seconds(in range: ClosedRange<Int>) -> Duration {
        .seconds(Int.random(in: range, using: &random))
    }

    private mutating func device() -> DeviceID {
        [.phone, .phone, .phone, .watch, .tablet].randomElement(using: &random) ?? .phone
    }

    private mutating func group() -> GroupID {
        [.family, .work, .choir].randomElement(using: &random) ?? .family
    }

    private mutating func groups() -> [GroupID] {
        let all: [GroupID] = [.family, .work, .choir]
        let some = all.filter { _ in Bool.random(using: &random) }
        return some.isEmpty ? [group()] : some
    }
}

/// A hundred different seeds, and the same every time: a failure names its own.
let seeds = (0..<100).map { UInt64(20_260_501 + $0 * 7919) }

extension Stage {
    /// Plays the seed's events, with the timers between them.
    static func play(
        seed: UInt64, count: Int = 150,
        _ check: (inout Stage, Timestamp, Event?, [Effect]) throws -> Void
    ) rethrows {
        var stage = Stage()
        var events = RandomEvents(seed: seed)
        for event in [Event.joins(.family), .joins(.work)] {
            let effects = stage.apply(event, at: events.now).effects
            try check(&stage, events.now, event, effects)
        }
        for _ in 0..<count {
            let (at, event) = events.next()
            while let fired = stage.fire(until: at) {
                try check(&stage, fired.at, nil, fired.effects)
            }
            let effects = stage.apply(event, at: at).effects
            try check(&stage, at, event, effects)
        }
    }
}

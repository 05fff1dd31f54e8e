internal import Tracking

/// The alerts that a group receives during a journey along a track.
struct JourneyReplay: Hashable {
    /// When each kind was first raised, since the start.
    private(set) var told: [Alert.Kind: Duration] = [:]
    /// From "stuck" to "moving", or to the end.
    private(set) var stuck: [Stay] = []

    private static let group = GroupID(rawValue: 1)
    private static let phone = DeviceID(rawValue: 1)
    private static let start = Timestamp(milliseconds: 1_600_000_000_000)
    private static let rules = Rules()

    /// Replays the reports of a phone that stays connected, and then waits. The journey begins with
    /// the first sample, where the phone has been before.
    ///
    /// - Parameters:
    ///   - before: the ages of the phone's reports before the journey, the oldest first.
    ///   - eta: since the start.
    ///   - patience: how long to wait after the last sample.
    init(
        of track: Track, to destination: Coordinate, eta: Duration, before: [Duration] = [],
        patience: Duration = .zero
    ) throws(Refusal) {
        let start = JourneyReplay.start
        var tracker = Tracker(user: UserID(rawValue: 1))
        _ = tracker.join(JourneyReplay.group, at: start)
        for age in before {
            let fix = track.samples[0].fix(at: start - age)
            _ = tracker.receive(
                fix, from: JourneyReplay.phone, at: start - age, JourneyReplay.rules)
        }
        _ = tracker.connect(JourneyReplay.phone, at: start)
        _ = try tracker.startJourney(
            to: Destination(coordinate: destination), eta: start + eta,
            with: [JourneyReplay.group], at: start)
        for sample in track.samples where tracker.journey != nil {
            let now = start + sample.offset
            pass(to: now, &tracker)
            let fix = sample.fix(at: now)
            note(tracker.receive(fix, from: JourneyReplay.phone, at: now, JourneyReplay.rules), now)
        }
        pass(to: start + track.duration + patience, &tracker)
        if let last = stuck.indices.last, tracker.journey?.isStuck == true {
            stuck[last].through = track.duration
        }
    }

    private mutating func pass(to now: Timestamp, _ tracker: inout Tracker) {
        let (start, rules) = (JourneyReplay.start, JourneyReplay.rules)
        while tracker.journey != nil, let due = tracker.nextDue(listeningSince: start, rules),
            due <= now
        {
            note(tracker.advance(to: due, listeningSince: start, rules), due)
        }
    }

    private mutating func note(_ effects: [Effect], _ now: Timestamp) {
        let moment = now - JourneyReplay.start
        for case .alert(let alert, _) in effects {
            if told[alert.kind] == nil { told[alert.kind] = moment }
            if alert.kind == .stuck { stuck.append(Stay(from: moment, through: moment)) }
            if alert.kind == .moving { stuck[stuck.count - 1].through = moment }
        }
    }
}

extension Track.Sample {
    fileprivate func fix(at time: Timestamp) -> Fix {
        Fix(
            coordinate: coordinate, takenAt: time, receivedAt: time, accuracy: accuracy,
            speed: speed)
    }
}
